"""Geometry: registration of points, splines, meshes and shapes."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


def rotation_data(size, dtype, rng):
    n, m = size
    return (
        np.array([0.1, -0.2, 0.3, 0.5, 0.0, -0.5]).astype(dtype),
        rng.normal(size=(n, 3)).astype(dtype),
        rng.normal(size=(m, 3)).astype(dtype),
    )


def registration_loops(pose, points, model):
    ca, sa, cb, sb, cc, sc = (
        np.cos(pose[0]),
        np.sin(pose[0]),
        np.cos(pose[1]),
        np.sin(pose[1]),
        np.cos(pose[2]),
        np.sin(pose[2]),
    )
    loss = 0.0
    for i in range(len(points)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        x, y = ca * x - sa * y, sa * x + ca * y
        x, z = cb * x + sb * z, cb * z - sb * x
        y, z = cc * y - sc * z, sc * y + cc * z
        x, y, z = x + pose[3], y + pose[4], z + pose[5]
        best = 1e30
        for j in range(len(model)):
            away = (x - model[j, 0]) ** 2 + (y - model[j, 1]) ** 2 + (z - model[j, 2]) ** 2
            if away < best:
                best = away
        loss += best
    return loss / len(points)


def turned(pose):
    """The rotation by three angles, one after the other."""
    ca, sa = np.cos(pose[0]), np.sin(pose[0])
    cb, sb = np.cos(pose[1]), np.sin(pose[1])
    cc, sc = np.cos(pose[2]), np.sin(pose[2])
    about_z = np.array([[ca, -sa, 0.0], [sa, ca, 0.0], [0.0, 0.0, 1.0]])
    about_y = np.array([[cb, 0.0, sb], [0.0, 1.0, 0.0], [-sb, 0.0, cb]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cc, -sc], [0.0, sc, cc]])
    return about_x @ about_y @ about_z


def registration_maps(pose, points, model):
    rotation = turned(pose)

    def nearest(point):
        moved = rotation @ point + pose[3:]
        return np.min(tl.map(lambda other: np.sum((moved - other) ** 2), model))

    return np.mean(tl.map(nearest, points))


def registration_axis(pose, points, model):
    moved = points @ turned(pose).T + pose[3:]
    away = np.sum((moved[:, None, :] - model[None, :, :]) ** 2, axis=2)
    return np.mean(np.min(away, axis=1))


def registration_jax(jnp):
    def loss(pose, points, model):
        (ca, cb, cc), (sa, sb, sc) = jnp.cos(pose[:3]), jnp.sin(pose[:3])
        about_z = jnp.array([[ca, -sa, 0.0], [sa, ca, 0.0], [0.0, 0.0, 1.0]])
        about_y = jnp.array([[cb, 0.0, sb], [0.0, 1.0, 0.0], [-sb, 0.0, cb]])
        about_x = jnp.array([[1.0, 0.0, 0.0], [0.0, cc, -sc], [0.0, sc, cc]])
        moved = points @ (about_x @ about_y @ about_z).T + pose[3:]
        nearest = jnp.argmin(jnp.sum(model**2, axis=1) - 2.0 * moved @ model.T, axis=1)
        return jnp.mean(jnp.sum((moved - model[nearest]) ** 2, axis=1))

    return loss


def spline_data(size, dtype, rng):
    knots, samples = size
    return (
        rng.normal(size=knots).astype(dtype),
        rng.uniform(0.0, knots - 3.001, samples).astype(dtype),
        rng.normal(size=samples).astype(dtype),
    )


def spline_loops(controls, x, y):
    loss = 0.0
    for n in range(len(x)):
        i = int(np.floor(x[n]))
        t = x[n] - i
        a = (1.0 - t) ** 3 / 6.0 * controls[i]
        b = (3.0 * t**3 - 6.0 * t**2 + 4.0) / 6.0 * controls[i + 1]
        c = (-3.0 * t**3 + 3.0 * t**2 + 3.0 * t + 1.0) / 6.0 * controls[i + 2]
        d = t**3 / 6.0 * controls[i + 3]
        loss += (a + b + c + d - y[n]) ** 2
    for i in range(1, len(controls) - 1):
        loss += 0.1 * (controls[i - 1] - 2.0 * controls[i] + controls[i + 1]) ** 2
    return loss


def spline_maps(controls, x, y):
    def error(place, value):
        i = int(place)
        t = place - i
        basis = np.array([(1 - t) ** 3, 3 * t**3 - 6 * t**2 + 4, -3 * t**3 + 3 * t**2 + 3 * t + 1, t**3]) / 6.0
        return (np.dot(basis, controls[i : i + 4]) - value) ** 2

    return np.sum(tl.map(error, x, y)) + 0.1 * np.sum(np.diff(np.diff(controls)) ** 2)


def spline_axis(controls, x, y):
    i = np.floor(x).astype(np.int64)
    t = x - i
    start = (1 - t) ** 3 * controls[i] + (3 * t**3 - 6 * t**2 + 4) * controls[i + 1]
    end = (-3 * t**3 + 3 * t**2 + 3 * t + 1) * controls[i + 2] + t**3 * controls[i + 3]
    bend = controls[:-2] - 2.0 * controls[1:-1] + controls[2:]
    return np.sum(((start + end) / 6.0 - y) ** 2) + 0.1 * np.sum(bend**2)


def spline_jax(jnp):
    def loss(controls, x, y):
        i = jnp.floor(x).astype(int)
        t = x - jnp.floor(x)
        start = (1 - t) ** 3 * controls[i] + (3 * t**3 - 6 * t**2 + 4) * controls[i + 1]
        end = (-3 * t**3 + 3 * t**2 + 3 * t + 1) * controls[i + 2] + t**3 * controls[i + 3]
        bend = controls[:-2] - 2.0 * controls[1:-1] + controls[2:]
        return jnp.sum(((start + end) / 6.0 - y) ** 2) + 0.1 * jnp.sum(bend**2)

    return loss


def spline_torch(torch):
    def loss(controls, x, y):
        i = torch.floor(x).long()
        t = x - i
        start = (1 - t) ** 3 * controls[i] + (3 * t**3 - 6 * t**2 + 4) * controls[i + 1]
        end = (-3 * t**3 + 3 * t**2 + 3 * t + 1) * controls[i + 2] + t**3 * controls[i + 3]
        bend = controls[:-2] - 2.0 * controls[1:-1] + controls[2:]
        return torch.sum(((start + end) / 6.0 - y) ** 2) + 0.1 * torch.sum(bend**2)

    return loss


def mesh_data(size, dtype, rng):
    points, triangles = size
    return (
        rng.normal(size=(points, 3)).astype(dtype),
        rng.integers(0, points, (triangles, 3)),
        rng.normal(size=(points, 3)).astype(dtype),
    )


def mesh_loops(points, triangles, seen):
    energy = 0.0
    for f in range(len(triangles)):
        a, b, c = points[triangles[f, 0]], points[triangles[f, 1]], points[triangles[f, 2]]
        normal = np.cross(b - a, c - a)
        energy += 0.5 * np.sqrt(np.sum(normal**2) + 1e-6)
    for i in range(len(points)):
        for k in range(3):
            energy += (points[i, k] - seen[i, k]) ** 2
    return energy


def mesh_maps(points, triangles, seen):
    def area(corners):
        a, b, c = points[corners[0]], points[corners[1]], points[corners[2]]
        u, v = b - a, c - a
        x, y, z = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
        return 0.5 * tl.sqrt(x * x + y * y + z * z + 1e-6)

    return tl.sum(tl.map(area, triangles)) + tl.sum((points - seen) ** 2)


def mesh_axis(points, triangles, seen):
    a, b, c = points[triangles[:, 0]], points[triangles[:, 1]], points[triangles[:, 2]]
    normals = np.cross(b - a, c - a)
    areas = 0.5 * np.sqrt(np.sum(normals**2, axis=1) + 1e-6)
    return np.sum(areas) + np.sum((points - seen) ** 2)


def mesh_jax(jnp):
    def loss(points, triangles, seen):
        a, b, c = points[triangles[:, 0]], points[triangles[:, 1]], points[triangles[:, 2]]
        areas = 0.5 * jnp.sqrt(jnp.sum(jnp.cross(b - a, c - a) ** 2, axis=1) + 1e-6)
        return jnp.sum(areas) + jnp.sum((points - seen) ** 2)

    return loss


def mesh_torch(torch):
    def loss(points, triangles, seen):
        a, b, c = points[triangles[:, 0]], points[triangles[:, 1]], points[triangles[:, 2]]
        areas = 0.5 * torch.sqrt(torch.sum(torch.linalg.cross(b - a, c - a) ** 2, dim=1) + 1e-6)
        return torch.sum(areas) + torch.sum((points - seen) ** 2)

    return loss


def shape_data(size, dtype, rng):
    shapes, points = size
    return (
        rng.normal(size=(points, 2)).astype(dtype),
        rng.normal(size=(shapes, points, 2)).astype(dtype),
    )


def shape_loops(mean, shapes):
    total = 0.0
    for s in range(len(shapes)):
        dot, cross, size = 0.0, 0.0, 0.0
        cx, cy = np.mean(shapes[s, :, 0]), np.mean(shapes[s, :, 1])
        mx, my = np.mean(mean[:, 0]), np.mean(mean[:, 1])
        for i in range(len(mean)):
            x, y = shapes[s, i, 0] - cx, shapes[s, i, 1] - cy
            u, v = mean[i, 0] - mx, mean[i, 1] - my
            dot += u * x + v * y
            cross += v * x - u * y
            size += u * u + v * v + x * x + y * y
        total += size - 2.0 * np.hypot(dot, cross)
    return total


def shape_maps(mean, shapes):
    centred = mean - np.mean(mean, axis=0)

    def distance(shape):
        other = shape - np.mean(shape, axis=0)
        dot = np.sum(centred * other)
        cross = np.sum(centred[:, 1] * other[:, 0] - centred[:, 0] * other[:, 1])
        return np.sum(centred**2) + np.sum(other**2) - 2.0 * np.sqrt(dot**2 + cross**2)

    return np.sum(tl.map(distance, shapes))


def shape_axis(mean, shapes):
    centred = mean - mean.mean(axis=0)
    others = shapes - shapes.mean(axis=1, keepdims=True)
    dots = np.einsum("pk,spk->s", centred, others)
    crosses = np.einsum("p,sp->s", centred[:, 1], others[:, :, 0]) - np.einsum(
        "p,sp->s", centred[:, 0], others[:, :, 1]
    )
    return len(shapes) * np.sum(centred**2) + np.sum(others**2) - 2.0 * np.sum(np.sqrt(dots**2 + crosses**2))


def shape_jax(jnp):
    def loss(mean, shapes):
        centred = mean - mean.mean(axis=0)
        others = shapes - shapes.mean(axis=1, keepdims=True)
        dots = jnp.einsum("pk,spk->s", centred, others)
        crosses = jnp.einsum("pk,spk->s", centred[:, ::-1] * jnp.array([1.0, -1.0], mean.dtype), others)
        return len(shapes) * jnp.sum(centred**2) + jnp.sum(others**2) - 2.0 * jnp.sum(jnp.hypot(dots, crosses))

    return loss


def shape_torch(torch):
    def loss(mean, shapes):
        centred = mean - mean.mean(dim=0)
        others = shapes - shapes.mean(dim=1, keepdim=True)
        turned = torch.stack((centred[:, 1], -centred[:, 0]), dim=1)
        dots = torch.einsum("pk,spk->s", centred, others)
        crosses = torch.einsum("pk,spk->s", turned, others)
        return len(shapes) * torch.sum(centred**2) + torch.sum(others**2) - 2.0 * torch.sum(torch.hypot(dots, crosses))

    return loss


PROGRAMS = (
    Program(
        name="registration of points",
        field="geometry",
        sizes={"small": (10, 12), "middle": (300, 300), "large": (2000, 2000)},
        data=rotation_data,
        spellings={"loops": registration_loops, "maps": registration_maps, "axis": registration_axis},
        jax=registration_jax,
    ),
    Program(
        name="spline fit",
        field="geometry",
        sizes={"small": (10, 50), "middle": (100, 10000), "large": (1000, 500000)},
        data=spline_data,
        spellings={"loops": spline_loops, "maps": spline_maps, "axis": spline_axis},
        jax=spline_jax,
        torch=spline_torch,
    ),
    Program(
        name="mesh smoothing",
        field="geometry",
        sizes={"small": (20, 30), "middle": (3000, 6000), "large": (100000, 200000)},
        data=mesh_data,
        spellings={"loops": mesh_loops, "maps": mesh_maps, "axis": mesh_axis},
        jax=mesh_jax,
        torch=mesh_torch,
    ),
    Program(
        name="procrustes distance",
        field="geometry",
        sizes={"small": (4, 10), "middle": (100, 100), "large": (2000, 500)},
        data=shape_data,
        spellings={"loops": shape_loops, "maps": shape_maps, "axis": shape_axis},
        jax=shape_jax,
        torch=shape_torch,
    ),
)
