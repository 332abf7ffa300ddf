"""Robotics: arms, trajectories, graphs of poses, and the calibration of a laser."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from untuned.program import Program


# The Jacobian of an arm's hand by the angles of its joints, which turn about z and x in turns.
def arm(n, dtype, rng):
    return rng.uniform(-1, 1, n).astype(dtype), rng.uniform(0.2, 0.5, n).astype(dtype)


def arm_loops(angles, lengths):
    pose = tl.zeros((3, 3), dtype=angles.dtype)
    for k in range(3):
        pose[k, k] = 1.0
    hand = tl.zeros(3, dtype=angles.dtype)
    for j in range(len(angles)):
        c, s = tl.cos(angles[j]), tl.sin(angles[j])
        for r in range(3):
            if j % 2 == 0:
                a, b = pose[r, 0], pose[r, 1]
                pose[r, 0] = c * a + s * b
                pose[r, 1] = c * b - s * a
            else:
                a, b = pose[r, 1], pose[r, 2]
                pose[r, 1] = c * a + s * b
                pose[r, 2] = c * b - s * a
        hand += lengths[j] * pose[:, 1]
    return hand


def arm_matrices(angles, lengths):
    pose = np.eye(3, dtype=angles.dtype)
    hand = np.zeros(3, dtype=angles.dtype)
    for j in range(len(angles)):
        c, s = np.cos(angles[j]), np.sin(angles[j])
        if j % 2 == 0:
            turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        else:
            turn = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
        pose = pose @ turn
        hand = hand + lengths[j] * pose[:, 1]
    return hand


def arm_jax(jnp):
    from jax import lax

    def hand(angles, lengths):
        c, s, o, i = jnp.cos(angles), jnp.sin(angles), jnp.zeros_like(angles), jnp.ones_like(angles)
        about_z = jnp.stack([c, -s, o, s, c, o, o, o, i], axis=1)
        about_x = jnp.stack([i, o, o, o, c, -s, o, s, c], axis=1)
        even = (jnp.arange(len(angles)) % 2 == 0)[:, None]
        turns = jnp.where(even, about_z, about_x).reshape(-1, 3, 3)
        poses = lax.associative_scan(jnp.matmul, turns)
        return lengths @ poses[:, :, 1]

    return hand


# A trajectory of a point in a plane: smooth, around obstacles, from start to goal.
def trajectory(size, dtype, rng):
    n, obstacles = size
    line = np.stack([np.linspace(0, 1, n), np.linspace(0, 1, n)], axis=1) + 0.02 * rng.normal(size=(n, 2))
    return line.astype(dtype), rng.uniform(0, 1, (obstacles, 2)).astype(dtype), 0.2


def trajectory_loops(path, obstacles, margin):
    n = len(path)
    cost = 0.0
    for i in range(1, n - 1):
        for k in range(2):
            acceleration = path[i - 1, k] - 2.0 * path[i, k] + path[i + 1, k]
            cost += 100.0 * acceleration**2
    for i in range(n):
        for o in range(len(obstacles)):
            dx = path[i, 0] - obstacles[o, 0]
            dy = path[i, 1] - obstacles[o, 1]
            gap = margin - tl.sqrt(dx * dx + dy * dy)
            if gap > 0:
                cost += gap**2
    return cost + 10.0 * tl.sum((path[0] - 0.0) ** 2) + 10.0 * tl.sum((path[n - 1] - 1.0) ** 2)


def trajectory_maps(path, obstacles, margin):
    def penalty(point):
        return tl.sum(tl.map(lambda o: tl.maximum(margin - tl.norm(point - o), 0.0) ** 2, obstacles))

    bend = path[:-2] - 2.0 * path[1:-1] + path[2:]
    ends = tl.sum(path[0] ** 2) + tl.sum((path[-1] - 1.0) ** 2)
    return 100.0 * tl.sum(bend**2) + tl.sum(tl.map(penalty, path)) + 10.0 * ends


def trajectory_axes(path, obstacles, margin):
    bend = np.diff(path, n=2, axis=0)
    distance = np.sqrt(np.sum((path[:, None, :] - obstacles[None, :, :]) ** 2, axis=2))
    ends = np.sum(path[0] ** 2) + np.sum((path[-1] - 1.0) ** 2)
    return 100.0 * np.sum(bend**2) + np.sum(np.maximum(margin - distance, 0.0) ** 2) + 10.0 * ends


def trajectory_jax(jnp):
    def cost(path, obstacles, margin):
        bend = path[:-2] - 2 * path[1:-1] + path[2:]
        distance = jnp.sqrt(jnp.sum((path[:, None, :] - obstacles[None, :, :]) ** 2, axis=2))
        ends = jnp.sum(path[0] ** 2) + jnp.sum((path[-1] - 1) ** 2)
        return 100 * jnp.sum(bend**2) + jnp.sum(jnp.maximum(margin - distance, 0) ** 2) + 10 * ends

    return cost


def trajectory_torch(torch):
    def cost(path, obstacles, margin):
        bend = path[:-2] - 2 * path[1:-1] + path[2:]
        distance = torch.linalg.norm(path[:, None, :] - obstacles, dim=2)
        ends = torch.sum(path[0] ** 2) + torch.sum((path[-1] - 1) ** 2)
        return 100 * torch.sum(bend**2) + torch.sum(torch.relu(margin - distance) ** 2) + 10 * ends

    return cost


# A graph of poses in the plane, with measured moves between some of them.
def pose_graph(size, dtype, rng):
    poses, edges = size
    ends = np.stack([rng.integers(0, poses, edges), rng.integers(0, poses, edges)], axis=1)
    return rng.normal(size=(poses, 3)).astype(dtype), ends, rng.normal(size=(edges, 3)).astype(dtype)


def pose_graph_loops(poses, ends, moves):
    cost = 0.0
    for e in range(len(ends)):
        a, b = poses[ends[e, 0]], poses[ends[e, 1]]
        c, s = tl.cos(a[2]), tl.sin(a[2])
        dx, dy = b[0] - a[0], b[1] - a[1]
        turn = b[2] - a[2] - moves[e, 2]
        cost += (c * dx + s * dy - moves[e, 0]) ** 2 + (c * dy - s * dx - moves[e, 1]) ** 2
        cost += tl.atan2(tl.sin(turn), tl.cos(turn)) ** 2
    return cost


def pose_graph_maps(poses, ends, moves):
    def error(pair, move):
        a, b = poses[pair[0]], poses[pair[1]]
        c, s = tl.cos(a[2]), tl.sin(a[2])
        d = b - a
        turn = d[2] - move[2]
        wrapped = tl.atan2(tl.sin(turn), tl.cos(turn))
        return (c * d[0] + s * d[1] - move[0]) ** 2 + (c * d[1] - s * d[0] - move[1]) ** 2 + wrapped**2

    return tl.sum(tl.map(error, ends, moves))


def pose_graph_arrays(poses, ends, moves):
    a, b = poses[ends[:, 0]], poses[ends[:, 1]]
    c, s = np.cos(a[:, 2]), np.sin(a[:, 2])
    dx, dy = b[:, 0] - a[:, 0], b[:, 1] - a[:, 1]
    turn = b[:, 2] - a[:, 2] - moves[:, 2]
    wrapped = np.arctan2(np.sin(turn), np.cos(turn))
    return np.sum((c * dx + s * dy - moves[:, 0]) ** 2 + (c * dy - s * dx - moves[:, 1]) ** 2 + wrapped**2)


def pose_graph_jax(jnp):
    def cost(poses, ends, moves):
        a, b = poses[ends[:, 0]], poses[ends[:, 1]]
        c, s = jnp.cos(a[:, 2]), jnp.sin(a[:, 2])
        dx, dy = b[:, 0] - a[:, 0], b[:, 1] - a[:, 1]
        turn = b[:, 2] - a[:, 2] - moves[:, 2]
        wrapped = jnp.arctan2(jnp.sin(turn), jnp.cos(turn))
        return jnp.sum((c * dx + s * dy - moves[:, 0]) ** 2 + (c * dy - s * dx - moves[:, 1]) ** 2 + wrapped**2)

    return cost


# Points of a scan against points of a map by a rigid motion: nearest neighbours, as in iterative closest points.
def scan(size, dtype, rng):
    n, m = size
    return (
        np.array([0.1, -0.05, 0.2], dtype),
        rng.normal(size=(n, 2)).astype(dtype),
        rng.normal(size=(m, 2)).astype(dtype),
    )


def closest_loops(motion, points, known):
    c, s = tl.cos(motion[2]), tl.sin(motion[2])
    loss = 0.0
    for i in range(len(points)):
        x = c * points[i, 0] - s * points[i, 1] + motion[0]
        y = s * points[i, 0] + c * points[i, 1] + motion[1]
        best = 1e30
        for j in range(len(known)):
            square = (x - known[j, 0]) ** 2 + (y - known[j, 1]) ** 2
            best = min(best, square)
        loss += best
    return loss / len(points)


def closest_maps(motion, points, known):
    c, s = tl.cos(motion[2]), tl.sin(motion[2])

    def nearest(p):
        x = c * p[0] - s * p[1] + motion[0]
        y = s * p[0] + c * p[1] + motion[1]
        return tl.min(tl.map(lambda q: (x - q[0]) ** 2 + (y - q[1]) ** 2, known))

    return tl.mean(tl.map(nearest, points))


def closest_axes(motion, points, known):
    c, s = np.cos(motion[2]), np.sin(motion[2])
    moved = points @ np.array([[c, s], [-s, c]]) + motion[:2]
    squares = np.sum((moved[:, None, :] - known) ** 2, axis=2)
    return np.mean(np.min(squares, axis=1))


def closest_jax(jnp):
    def loss(motion, points, known):
        c, s = jnp.cos(motion[2]), jnp.sin(motion[2])
        moved = points @ jnp.array([[c, s], [-s, c]]) + motion[:2]
        return jnp.mean(jnp.min(jnp.sum((moved[:, None, :] - known) ** 2, axis=2), axis=1))

    return loss


def closest_torch(torch):
    def loss(motion, points, known):
        c, s = torch.cos(motion[2]), torch.sin(motion[2])
        turn = torch.stack((torch.stack((c, s)), torch.stack((-s, c))))
        moved = points @ turn + motion[:2]
        return torch.mean(torch.amin(torch.sum((moved[:, None, :] - known) ** 2, dim=2), dim=1))

    return loss


PROGRAMS = (
    Program(
        name="robot arm, Jacobian",
        field="robotics",
        sizes={"small": 6, "middle": 60, "large": 600},
        data=arm,
        spellings={"loops": arm_loops, "matrices": arm_matrices},
        jax=arm_jax,
        quantity="jacobian",
        tiny=3,
    ),
    Program(
        name="trajectory among obstacles",
        field="robotics",
        sizes={"small": (20, 4), "middle": (500, 40), "large": (5000, 400)},
        data=trajectory,
        spellings={"loops": trajectory_loops, "maps": trajectory_maps, "axis": trajectory_axes},
        jax=trajectory_jax,
        torch=trajectory_torch,
        tiny=(5, 2),
    ),
    Program(
        name="pose graph",
        field="robotics",
        sizes={"small": (20, 40), "middle": (2000, 5000), "large": (100_000, 300_000)},
        data=pose_graph,
        spellings={"loops": pose_graph_loops, "maps": pose_graph_maps, "arrays": pose_graph_arrays},
        jax=pose_graph_jax,
        torch=pose_graph_jax,
        tiny=(4, 5),
    ),
    Program(
        name="closest points",
        field="robotics",
        sizes={"small": (20, 30), "middle": (300, 400), "large": (3000, 4000)},
        data=scan,
        spellings={"loops": closest_loops, "maps": closest_maps, "axis": closest_axes},
        jax=closest_jax,
        torch=closest_torch,
        tiny=(4, 5),
    ),
)
