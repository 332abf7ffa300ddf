"""Programs of physics in the redundant benchmark: a lattice-Boltzmann flow and two ways to look up cross sections."""

import tapeless as tl


@tl.function
def relaxed(
    f: tl.f64[:, :], share: tl.f64, rho: tl.f64[:, :], along: tl.f64[:, :], energy: tl.f64[:, :], omega: tl.f64
) -> tl.f64[:, :]:
    """One population after a collision that draws it towards equilibrium."""
    equilibrium = share * rho * (1.0 + along * (3.0 + 4.5 * along) - 1.5 * energy)
    return f + omega * (equilibrium - f)


@tl.function
def lbm_step(f: tl.f64[9, :, :], omega: tl.f64) -> tl.f64[9, :, :]:
    """Streaming and collision of the nine populations; cells on the border keep theirs."""
    rest, east, north = f[0, 1:-1, 1:-1], f[1, 1:-1, :-2], f[2, :-2, 1:-1]
    west, south, northeast = f[3, 1:-1, 2:], f[4, 2:, 1:-1], f[5, :-2, :-2]
    northwest, southwest, southeast = f[6, :-2, 2:], f[7, 2:, 2:], f[8, 2:, :-2]
    rho = rest + east + north + west + south + northeast + northwest + southwest + southeast
    u = (east + northeast + southeast - west - northwest - southwest) / rho
    v = (north + northeast + northwest - south - southwest - southeast) / rho
    energy = u * u + v * v
    f[0, 1:-1, 1:-1] = relaxed(rest, 4 / 9, rho, 0.0 * u, energy, omega)
    f[1, 1:-1, 1:-1] = relaxed(east, 1 / 9, rho, u, energy, omega)
    f[2, 1:-1, 1:-1] = relaxed(north, 1 / 9, rho, v, energy, omega)
    f[3, 1:-1, 1:-1] = relaxed(west, 1 / 9, rho, -u, energy, omega)
    f[4, 1:-1, 1:-1] = relaxed(south, 1 / 9, rho, -v, energy, omega)
    f[5, 1:-1, 1:-1] = relaxed(northeast, 1 / 36, rho, u + v, energy, omega)
    f[6, 1:-1, 1:-1] = relaxed(northwest, 1 / 36, rho, v - u, energy, omega)
    f[7, 1:-1, 1:-1] = relaxed(southwest, 1 / 36, rho, -u - v, energy, omega)
    f[8, 1:-1, 1:-1] = relaxed(southeast, 1 / 36, rho, u - v, energy, omega)
    return f


@tl.function
def lbm(f: tl.f64[9, :, :], omega: tl.f64, weights: tl.f64[9, :, :], steps: tl.i64) -> tl.f64:
    """A weighted sum of the populations after some steps."""
    for _ in range(steps):
        f = lbm_step(f, omega)
    return tl.sum(weights * f)


@tl.function
def lbm_stripmined(f: tl.f64[9, :, :], omega: tl.f64, weights: tl.f64[9, :, :], steps: tl.i64) -> tl.f64:
    """The same with the square root of the number of states kept."""
    for _ in tl.range(steps, stripmine=2):
        f = lbm_step(f, omega)
    return tl.sum(weights * f)


@tl.function
def interval(grid, x) -> tl.i64:
    """The index i with grid[i] <= x < grid[i + 1], by bisection."""
    low, high = 0, len(grid) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if grid[middle] <= x:
            low = middle
        else:
            high = middle
    return low


@tl.function
def xs_lookup(
    energies: tl.f64[:],
    materials: tl.i64[:],
    grids: tl.f64[:, :],
    sections: tl.f64[:, :, 5],
    members: tl.i64[:, :],
    densities: tl.f64[:, :],
) -> tl.f64:
    """Pointwise tables: five cross sections per nuclide, interpolated in energy, weighted by density."""

    def macroscopic(energy, material):
        def contribution(nuclide, density):
            i = interval(grids[nuclide], energy)
            below, above = grids[nuclide, i], grids[nuclide, i + 1]
            share = (energy - below) / (above - below)
            mixed = sections[nuclide, i] + share * (sections[nuclide, i + 1] - sections[nuclide, i])
            return density * tl.sum(mixed * mixed)

        return tl.sum(tl.map(contribution, members[material], densities[material]))

    return tl.sum(tl.map(macroscopic, energies, materials))


@tl.function
def rs_lookup(
    energies: tl.f64[:],
    materials: tl.i64[:],
    poles: tl.f64[:, :, :, 2],
    residues: tl.f64[:, :, :, 3, 2],
    radii: tl.f64[:],
    members: tl.i64[:, :],
    densities: tl.f64[:, :],
) -> tl.f64:
    """Multipole tables: per nuclide and window a sum over complex poles, with a phase for the total section."""
    windows = poles.shape[1]

    def macroscopic(energy, material):
        root = tl.sqrt(energy)
        window = tl.minimum(int(energy * windows), windows - 1)

        def contribution(nuclide, density):
            phase = 2.0 * radii[nuclide] * root
            cosine, sine = tl.cos(phase), tl.sin(phase)

            def sections(pole, residue):
                real, imaginary = pole[0] - root, pole[1]
                scale = 1.0 / ((real * real + imaginary * imaginary) * energy)
                re, im = real * scale, -imaginary * scale
                turned_re, turned_im = re * cosine + im * sine, im * cosine - re * sine
                total = residue[0, 0] * turned_re - residue[0, 1] * turned_im
                absorbed = residue[1, 0] * re - residue[1, 1] * im
                fission = residue[2, 0] * re - residue[2, 1] * im
                return total + 0.5 * absorbed + 0.25 * fission

            return density * tl.sum(tl.map(sections, poles[nuclide, window], residues[nuclide, window]))

        return tl.sum(tl.map(contribution, members[material], densities[material]))

    return tl.sum(tl.map(macroscopic, energies, materials))
