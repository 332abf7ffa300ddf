"""Look-ups in tables of cross sections: pointwise ones of one nuclide and of many, and multipole expansions."""

from __future__ import annotations

from redundant_physics import interval, xs_lookup

import tapeless as tl
from on_gpu.programs.kernel import ANY_ORDER, Kernel


@tl.function
def pointwise(energies: tl.f32[:], grid: tl.f32[:], sections: tl.f32[:, 5]) -> tl.f32:
    """The squares of five cross sections, interpolated between the energies of a grid, summed over all look-ups."""

    def squares(energy):
        i = interval(grid, energy)
        share = (energy - grid[i]) / (grid[i + 1] - grid[i])
        mixed = sections[i] + share * (sections[i + 1] - sections[i])
        return tl.sum(mixed * mixed)

    return tl.sum(tl.map(squares, energies))


@tl.function
def multipole(energies: tl.f32[:], poles: tl.f32[:, 4, 2], residues: tl.f32[:, 4, 3, 2], radius: tl.f32) -> tl.f32:
    """A sum over the complex poles of an energy's window, with a phase for the total section, over all look-ups."""
    windows = len(poles)

    def sections(energy):
        root = tl.sqrt(energy)
        window = tl.minimum(int(energy * windows), windows - 1)
        phase = 2.0 * radius * root
        cosine, sine = tl.cos(phase), tl.sin(phase)

        def of_pole(pole, residue):
            real, imaginary = pole[0] - root, pole[1]
            scale = 1.0 / ((real * real + imaginary * imaginary) * energy)
            re, im = real * scale, -imaginary * scale
            turned_re, turned_im = re * cosine + im * sine, im * cosine - re * sine
            total = residue[0, 0] * turned_re - residue[0, 1] * turned_im
            absorbed = residue[1, 0] * re - residue[1, 1] * im
            fission = residue[2, 0] * re - residue[2, 1] * im
            return total + 0.5 * absorbed + 0.25 * fission

        return tl.sum(tl.map(of_pole, poles[window], residues[window]))

    return tl.sum(tl.map(sections, energies))


F32, F64, I64 = tl.f32, tl.f64, tl.i64
POINTWISE = (F32[:], F32[:], F32[:, 5])
MULTIPOLE = (F32[:], F32[:, 4, 2], F32[:, 4, 3, 2], F32)
NUCLIDES = (F64[:], I64[:], F64[:, :], F64[:, :, 5], I64[:, :], F64[:, :])
KERNELS = {
    "pointwise": Kernel(pointwise, POINTWISE),
    "pointwise gradient": Kernel(tl.grad(pointwise, argnums=2), POINTWISE),
    "pointwise gradient, any order": Kernel(tl.grad(pointwise, argnums=2), POINTWISE, ANY_ORDER),
    "multipole": Kernel(multipole, MULTIPOLE),
    "multipole gradient": Kernel(tl.grad(multipole, argnums=(1, 2)), MULTIPOLE),
    "multipole gradient, any order": Kernel(tl.grad(multipole, argnums=(1, 2)), MULTIPOLE, ANY_ORDER),
    "nuclides": Kernel(xs_lookup, NUCLIDES),
    "nuclides gradient": Kernel(tl.grad(xs_lookup, argnums=3), NUCLIDES),
    "nuclides gradient, any order": Kernel(tl.grad(xs_lookup, argnums=3), NUCLIDES, ANY_ORDER),
}
