"""Look-ups in tables of cross sections."""

from __future__ import annotations

import torch
from redundant_torch import xs_lookup
from torch import Tensor

from on_gpu.in_torch.gradients import gradient


def pointwise(energies: Tensor, grid: Tensor, sections: Tensor) -> Tensor:
    i = torch.clamp(torch.searchsorted(grid, energies, right=True) - 1, 0, len(grid) - 2)
    share = ((energies - grid[i]) / (grid[i + 1] - grid[i]))[:, None]
    below = sections[i]
    mixed = below + share * (sections[i + 1] - below)
    return torch.sum(mixed * mixed)


def multipole(energies: Tensor, poles: Tensor, residues: Tensor, radius: Tensor) -> Tensor:
    root, windows = torch.sqrt(energies), len(poles)
    window = torch.clamp((energies * windows).long(), max=windows - 1)
    pole, residue = poles[window], residues[window]
    phase = 2 * radius * root
    cosine, sine = torch.cos(phase)[:, None], torch.sin(phase)[:, None]
    real, imaginary = pole[..., 0] - root[:, None], pole[..., 1]
    scale = 1.0 / ((real * real + imaginary * imaginary) * energies[:, None])
    re, im = real * scale, -imaginary * scale
    turned_re, turned_im = re * cosine + im * sine, im * cosine - re * sine
    total = residue[..., 0, 0] * turned_re - residue[..., 0, 1] * turned_im
    absorbed = residue[..., 1, 0] * re - residue[..., 1, 1] * im
    fission = residue[..., 2, 0] * re - residue[..., 2, 1] * im
    return torch.sum(total + 0.5 * absorbed + 0.25 * fission)


FUNCTIONS = {
    "pointwise": pointwise,
    "pointwise gradient": gradient(pointwise, 2),
    "multipole": multipole,
    "multipole gradient": gradient(multipole, 1, 2),
    "nuclides": xs_lookup,
    "nuclides gradient": gradient(xs_lookup, 3),
}
