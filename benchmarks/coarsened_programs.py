"""The programs of the benchmark of symbolic segments, written the way their authors would: loops, branches, numbers."""

from __future__ import annotations

import tapeless as tl

GRAVITY = 9.81
SAFE = 40.0
POLE_MASS, TOTAL_MASS, POLE_LENGTH, TIME_STEP = 0.1, 1.1, 0.5, 0.02
BONES = 8


@tl.function
def bgd_hyper_opt(rate: tl.f64, x: tl.f64[:], y: tl.f64[:], most: tl.i64):
    """The error of a line after gradient descent, as a function of the learning rate; ends early when it is flat."""
    m = x.shape[0]
    w = 0.0
    for _ in range(most):
        slope = 0.0
        for i in range(m):
            slope += 2.0 * x[i] * (y[i] - x[i] * w)
        slope = slope / m
        if abs(slope) < 1e-12:
            break
        w += rate * slope
    error = 0.0
    for i in range(m):
        error += (y[i] - x[i] * w) ** 2
    return tl.sqrt(error) / m


@tl.function
def brachistochrone(heights: tl.f64[:], width: tl.f64):
    """The time a bead takes along a polygon under gravity, starting at rest one unit above the first point."""
    n = heights.shape[0]
    dx = width / (n - 1)
    time = 0.0
    for i in range(n - 1):
        length = tl.sqrt(dx**2 + (heights[i + 1] - heights[i]) ** 2)
        fast = tl.sqrt(2.0 * GRAVITY * (1.0 - heights[i]))
        faster = tl.sqrt(2.0 * GRAVITY * (1.0 - heights[i + 1]))
        time += 2.0 * length / (fast + faster)
    return time


@tl.function
def cartpole(forces: tl.f64[:], start: tl.f64[4]):
    """How far a cart with a pole is from standing still, after pushes that have their limits."""
    x, speed, angle, turn = start[0], start[1], start[2], start[3]
    for i in range(forces.shape[0]):
        push = forces[i]
        if push > 10.0:
            push = 10.0
        if push < -10.0:
            push = -10.0
        c, s = tl.cos(angle), tl.sin(angle)
        pull = (push + POLE_MASS * POLE_LENGTH * turn**2 * s) / TOTAL_MASS
        twist = (GRAVITY * s - c * pull) / (POLE_LENGTH * (4.0 / 3.0 - POLE_MASS * c**2 / TOTAL_MASS))
        drive = pull - POLE_MASS * POLE_LENGTH * twist * c / TOTAL_MASS
        x += TIME_STEP * speed
        speed += TIME_STEP * drive
        angle += TIME_STEP * turn
        turn += TIME_STEP * twist
    return x**2 + speed**2 + angle**2 + turn**2


@tl.function
def logistic_posterior(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:]):
    """The negative logarithm of the posterior that Hamiltonian Monte Carlo walks along, guarded against overflow."""
    total = 0.0
    for i in range(x.shape[0]):
        z = 0.0
        for j in range(x.shape[1]):
            z += x[i, j] * w[j]
        if z > SAFE:
            total += z - y[i] * z
        else:
            total += tl.log(1.0 + tl.exp(z)) - y[i] * z
    for j in range(w.shape[0]):
        total += 0.5 * w[j] ** 2 / 10.0
    return total


@tl.function
def hookean_spring(points: tl.f64[:, 2], stiffness: tl.f64, rest: tl.f64):
    """The energy of a chain of springs."""
    energy = 0.0
    for i in range(points.shape[0] - 1):
        dx = points[i, 0] - points[i + 1, 0]
        dy = points[i, 1] - points[i + 1, 1]
        stretch = tl.sqrt(dx**2 + dy**2) - rest
        energy += 0.5 * stiffness * stretch**2
    return energy


@tl.function
def walker(angles: tl.f64[8], torques: tl.f64[8], stiffness: tl.f64):
    """A figure of eight bones: many small loops and branches over its joints, as in a game's physics."""
    x, y, lowest, energy = 0.0, 0.0, 0.0, 0.0
    total = 0.0
    for i in range(BONES):
        total += angles[i]
        x += tl.cos(total)
        y += tl.sin(total)
        if y < lowest:
            lowest = y
    centre = 0.0
    for i in range(BONES):
        centre += torques[i] / BONES
    spread = 0.0
    for i in range(BONES):
        off = torques[i] - centre
        if off > 0.0:
            spread += off**2
        else:
            spread += 0.5 * off**2
    bend = 0.0
    for i in range(BONES - 1):
        bend += stiffness * (angles[i + 1] - angles[i]) ** 2
    for i in range(BONES):
        energy += torques[i] * angles[i] + 0.5 * stiffness * angles[i] ** 2
    friction = 0.0
    for i in range(BONES):
        if torques[i] * angles[i] < 0.0:
            friction += tl.exp(-(torques[i] ** 2))
        else:
            friction += torques[i] ** 2 / (1.0 + torques[i] ** 2)
    reach = tl.sqrt(x**2 + y**2 + 1.0)
    return reach + (y - lowest) ** 2 + spread + bend + energy + friction


@tl.function
def affine_loop(a: tl.f64[:], b: tl.f64[:], p: tl.f64[:], n: tl.i64):
    """The same affine step, again and again, for many starts."""

    def run(a, b, p):
        d = p
        for _ in range(n):
            d = a * d + b
        return d

    return tl.sum(tl.map(run, a, b, p))


@tl.function
def lennard_jones(points: tl.f64[:, 3]):
    """The energy of particles that attract each other from afar and repel each other nearby."""
    n = points.shape[0]
    energy = 0.0
    for i in range(n):
        for j in range(i):
            r2 = 0.0
            for k in range(3):
                r2 += (points[i, k] - points[j, k]) ** 2
            r = tl.sqrt(r2)
            energy += 4.0 * ((1.0 / r) ** 12 - (1.0 / r) ** 6)
    return energy
