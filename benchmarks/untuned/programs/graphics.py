"""Graphics: shading of spheres, warped images, rays that march, harmonic light, and curves of Bezier."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


# An image of a shaded sphere against a target, by the sphere's place, its radius and the light.
def scene(n, dtype, rng):
    place = np.array([0.1, -0.2, 3.0, 0.9], dtype)
    light = np.array([0.5, 0.7, -0.5], dtype)
    return place, light, rng.random((n, n)).astype(dtype)


def shade(u, v, place, light):
    """The brightness that a ray through a pixel sees."""
    scale = 1.0 / tl.sqrt(u * u + v * v + 1.0)
    along = scale * (u * place[0] + v * place[1] + place[2])
    square = along * along - (place[0] ** 2 + place[1] ** 2 + place[2] ** 2) + place[3] ** 2
    if square > 0.0:
        t = along - tl.sqrt(square)
        nx, ny, nz = t * scale * u - place[0], t * scale * v - place[1], t * scale - place[2]
        brightness = max((nx * light[0] + ny * light[1] + nz * light[2]) / place[3], 0.0)
    else:
        brightness = 0.05
    return brightness


def sphere_loops(place, light, target):
    n, m = target.shape
    loss = 0.0
    for i in range(n):
        for j in range(m):
            u = (2.0 * j + 1.0) / m - 1.0
            v = (2.0 * i + 1.0) / n - 1.0
            loss += (shade(u, v, place, light) - target[i, j]) ** 2
    return loss / (n * m)


def sphere_maps(place, light, target):
    n, m = target.shape
    us = (2.0 * tl.iota(m) + 1.0) / m - 1.0
    vs = (2.0 * tl.iota(n) + 1.0) / n - 1.0

    def row(v, targets):
        return tl.sum(tl.map(lambda u, t: (shade(u, v, place, light) - t) ** 2, us, targets))

    return tl.sum(tl.map(row, vs, target)) / (n * m)


def sphere_jax(jnp):
    def loss(place, light, target):
        n, m = target.shape
        u = ((2.0 * jnp.arange(m) + 1) / m - 1).astype(target.dtype)[None, :]
        v = ((2.0 * jnp.arange(n) + 1) / n - 1).astype(target.dtype)[:, None]
        scale = 1 / jnp.sqrt(u * u + v * v + 1)
        along = scale * (u * place[0] + v * place[1] + place[2])
        square = along**2 - jnp.sum(place[:3] ** 2) + place[3] ** 2
        hit = square > 0
        t = along - jnp.sqrt(jnp.where(hit, square, 1.0))
        x, y, z = t * scale * u - place[0], t * scale * v - place[1], t * scale - place[2]
        bright = jnp.maximum((x * light[0] + y * light[1] + z * light[2]) / place[3], 0)
        return jnp.mean((jnp.where(hit, bright, 0.05) - target) ** 2)

    return loss


def sphere_torch(torch):
    def loss(place, light, target):
        n, m = target.shape
        u = ((2 * torch.arange(m, dtype=target.dtype) + 1) / m - 1)[None, :]
        v = ((2 * torch.arange(n, dtype=target.dtype) + 1) / n - 1)[:, None]
        scale = torch.rsqrt(u * u + v * v + 1)
        along = scale * (u * place[0] + v * place[1] + place[2])
        square = along**2 - torch.sum(place[:3] ** 2) + place[3] ** 2
        hit = square > 0
        t = along - torch.sqrt(torch.where(hit, square, 1.0))
        x, y, z = t * scale * u - place[0], t * scale * v - place[1], t * scale - place[2]
        bright = torch.relu((x * light[0] + y * light[1] + z * light[2]) / place[3])
        return torch.mean((torch.where(hit, bright, 0.05) - target) ** 2)

    return loss


# An image warped by a displacement of each pixel and compared with another, bilinear between pixels.
def images(n, dtype, rng):
    flow = rng.uniform(0.1, 0.9, (n, n, 2)).astype(dtype)
    return flow, rng.random((n + 2, n + 2)).astype(dtype), rng.random((n, n)).astype(dtype)


def warp_loops(flow, image, target):
    n, m = target.shape
    loss = 0.0
    for i in range(n):
        for j in range(m):
            y = i + flow[i, j, 0]
            x = j + flow[i, j, 1]
            y0 = int(tl.floor(y))
            x0 = int(tl.floor(x))
            wy = y - y0
            wx = x - x0
            top = (1.0 - wx) * image[y0, x0] + wx * image[y0, x0 + 1]
            bottom = (1.0 - wx) * image[y0 + 1, x0] + wx * image[y0 + 1, x0 + 1]
            loss += ((1.0 - wy) * top + wy * bottom - target[i, j]) ** 2
    return loss / (n * m)


def warp_arrays(flow, image, target):
    n, m = target.shape
    y = np.arange(n)[:, None] + flow[:, :, 0]
    x = np.arange(m)[None, :] + flow[:, :, 1]
    y0 = np.floor(y).astype(np.int64)
    x0 = np.floor(x).astype(np.int64)
    wy, wx = y - np.floor(y), x - np.floor(x)
    flat = np.ravel(image)
    at = y0 * image.shape[1] + x0
    below = at + image.shape[1]
    top = (1.0 - wx) * flat[at] + wx * flat[at + 1]
    bottom = (1.0 - wx) * flat[below] + wx * flat[below + 1]
    return np.mean(((1.0 - wy) * top + wy * bottom - target) ** 2)


def warp_jax(jnp):
    def loss(flow, image, target):
        n, m = target.shape
        y = jnp.arange(n)[:, None] + flow[:, :, 0]
        x = jnp.arange(m)[None, :] + flow[:, :, 1]
        fy, fx = jnp.floor(y), jnp.floor(x)
        y0, x0 = fy.astype(int), fx.astype(int)
        wy, wx = y - fy, x - fx
        top = (1 - wx) * image[y0, x0] + wx * image[y0, x0 + 1]
        bottom = (1 - wx) * image[y0 + 1, x0] + wx * image[y0 + 1, x0 + 1]
        return jnp.mean(((1 - wy) * top + wy * bottom - target) ** 2)

    return loss


def warp_torch(torch):
    def loss(flow, image, target):
        n, m = target.shape
        y = torch.arange(n)[:, None] + flow[:, :, 0]
        x = torch.arange(m)[None, :] + flow[:, :, 1]
        y0, x0 = torch.floor(y).long(), torch.floor(x).long()
        wy, wx = y - y0, x - x0
        top = (1 - wx) * image[y0, x0] + wx * image[y0, x0 + 1]
        bottom = (1 - wx) * image[y0 + 1, x0] + wx * image[y0 + 1, x0 + 1]
        return torch.mean(((1 - wy) * top + wy * bottom - target) ** 2)

    return loss


# Rays that march to a smooth union of balls by its distance: the depths, by places and radii.
def balls(size, dtype, rng):
    n, count = size
    centres = np.column_stack([rng.uniform(-0.6, 0.6, (count, 2)), rng.uniform(2.5, 3.5, count), np.full(count, 0.8)])
    return centres.astype(dtype), n, 24


def march_loops(centres, n, steps):
    depth = 0.0
    for i in range(n):
        for j in range(n):
            u, v = (2.0 * i + 1.0) / n - 1.0, (2.0 * j + 1.0) / n - 1.0
            length = tl.sqrt(u * u + v * v + 1.0)
            t = 0.0
            for _ in range(steps):
                x, y, z = t * u / length, t * v / length, t / length
                near = 0.0
                for b in range(len(centres)):
                    cx, cy, cz = centres[b, 0] - x, centres[b, 1] - y, centres[b, 2] - z
                    near += tl.exp(-4.0 * (tl.sqrt(cx * cx + cy * cy + cz * cz) - centres[b, 3]))
                t += min(-0.25 * tl.log(near), 0.5)
            depth += t
    return depth / (n * n)


def march_maps(centres, n, steps):
    def ray(u, v):
        scale = 1.0 / tl.sqrt(u * u + v * v + 1.0)
        direction = tl.stack((u * scale, v * scale, scale))
        t = 0.0
        for _ in range(steps):
            distances = tl.map(lambda c: tl.norm(c[:3] - t * direction) - c[3], centres)
            t += tl.minimum(-0.25 * tl.logsumexp(-4.0 * distances), 0.5)
        return t

    grid = (2.0 * tl.iota(n) + 1.0) / n - 1.0
    return tl.mean(tl.map(lambda u: tl.mean(tl.map(lambda v: ray(u, v), grid)), grid))


def march_jax(jnp):
    import jax
    from jax import lax

    def depth(centres, n, steps):
        grid = ((2.0 * jnp.arange(n) + 1) / n - 1).astype(centres.dtype)
        u, v = grid[:, None], grid[None, :]
        scale = 1 / jnp.sqrt(u * u + v * v + 1)
        direction = jnp.stack([u * scale, v * scale, scale], axis=-1)

        def step(t, _):
            gap = jnp.linalg.norm(centres[:, :3] - (t[:, :, None] * direction)[:, :, None, :], axis=-1) - centres[:, 3]
            return t + jnp.minimum(-0.25 * jax.nn.logsumexp(-4 * gap, axis=-1), 0.5), None

        return jnp.mean(lax.scan(step, jnp.zeros((n, n), centres.dtype), length=steps)[0])

    return depth


def march_torch(torch):
    def depth(centres, n, steps):
        grid = (2 * torch.arange(n, dtype=centres.dtype) + 1) / n - 1
        u, v = grid[:, None], grid[None, :]
        scale = torch.rsqrt(u * u + v * v + 1)
        direction = torch.stack((u * scale, v * scale, scale), dim=-1)
        t = torch.zeros_like(scale)
        for _ in range(steps):
            gap = torch.linalg.norm(centres[:, :3] - (t[:, :, None] * direction)[:, :, None, :], dim=-1)
            t = t + torch.clamp(-0.25 * torch.logsumexp(-4 * (gap - centres[:, 3]), dim=-1), max=0.5)
        return torch.mean(t)

    return depth


# Light of nine spherical harmonics on normals: the misfit of brightness, by coefficients and normals.
def lit(n, dtype, rng):
    normals = rng.normal(size=(n, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return rng.normal(size=9).astype(dtype), normals.astype(dtype), rng.random(n).astype(dtype)


def light_loops(coefficients, normals, seen):
    c = coefficients
    loss = 0.0
    for i in range(len(seen)):
        x, y, z = normals[i]
        light = 0.282 * c[0] + 0.489 * (c[1] * y + c[2] * z + c[3] * x)
        light += 1.093 * (c[4] * x * y + c[5] * y * z + c[7] * x * z)
        light += 0.315 * c[6] * (3.0 * z * z - 1.0) + 0.546 * c[8] * (x * x - y * y)
        loss += (light - seen[i]) ** 2
    return loss


def light_arrays(coefficients, normals, seen):
    x, y, z = normals[:, 0], normals[:, 1], normals[:, 2]
    one = np.ones_like(x)
    basis = np.stack(
        (
            0.282 * one,
            0.489 * y,
            0.489 * z,
            0.489 * x,
            1.093 * x * y,
            1.093 * y * z,
            0.315 * (3.0 * z**2 - 1.0),
            1.093 * x * z,
            0.546 * (x**2 - y**2),
        ),
        axis=1,
    )
    return np.sum((basis @ coefficients - seen) ** 2)


def light_jax(jnp):
    def loss(c, normals, seen):
        x, y, z = normals.T
        light = 0.282 * c[0] + 0.489 * (c[1] * y + c[2] * z + c[3] * x)
        light += 1.093 * (c[4] * x * y + c[5] * y * z + c[7] * x * z)
        light += 0.315 * c[6] * (3 * z * z - 1) + 0.546 * c[8] * (x * x - y * y)
        return jnp.sum((light - seen) ** 2)

    return loss


PROGRAMS = (
    Program(
        name="shaded sphere",
        field="graphics",
        sizes={"small": 12, "middle": 150, "large": 1500},
        data=scene,
        spellings={"loops": sphere_loops, "maps": sphere_maps},
        jax=sphere_jax,
        torch=sphere_torch,
        wrt=(0, 1),
        tiny=5,
    ),
    Program(
        name="image warp",
        field="graphics",
        sizes={"small": 12, "middle": 150, "large": 1500},
        data=images,
        spellings={"loops": warp_loops, "arrays": warp_arrays},
        jax=warp_jax,
        torch=warp_torch,
        wrt=(0, 1),
        tiny=4,
    ),
    Program(
        name="marching rays",
        field="graphics",
        sizes={"small": (3, 3), "middle": (20, 4), "large": (150, 4)},
        data=balls,
        spellings={"loops": march_loops, "maps": march_maps},
        jax=march_jax,
        torch=march_torch,
        tiny=(3, 2),
    ),
    Program(
        name="spherical harmonic light",
        field="graphics",
        sizes={"small": 100, "middle": 20_000, "large": 1_000_000},
        data=lit,
        spellings={"loops": light_loops, "arrays": light_arrays},
        jax=light_jax,
        torch=light_jax,
        wrt=(0, 1),
        tiny=4,
    ),
)
