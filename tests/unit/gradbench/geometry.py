"""Cameras and hands in plain numpy, for real and complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np


def crossing(a: Any) -> np.ndarray:
    """The matrix of the cross product with a vector."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def turn(r: np.ndarray) -> np.ndarray:
    """The rotation around an axis by its length, by Rodrigues; the first terms of its series for no rotation."""
    angle = np.sqrt(np.sum(r * r))
    if angle == 0:
        return np.eye(3) + crossing(r)
    k = crossing(r / angle)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def seen_error(parameters: np.ndarray, feature: np.ndarray) -> np.ndarray:
    """Camera, point and weight in one vector, and where the point was found."""
    camera, point, weight = parameters[:11], parameters[11:14], parameters[14]
    # No length is zero with a tangent: the real part decides.
    rotation = turn(camera[:3]) if np.any(np.real(camera[:3])) else np.eye(3) + crossing(camera[:3])
    y = rotation @ (point - camera[3:6])
    z = y[:2] / y[2]
    s = z @ z
    return weight * (camera[6] * z * (1 + camera[9] * s + camera[10] * s**2) + camera[7:9] - feature)


def rotation_of_bone(theta: np.ndarray, bone: int) -> np.ndarray:
    finger, joint = divmod(bone - 1, 4)
    x = z = 0.0
    if 0 < bone < 21:
        t = theta[6 + 4 * finger : 10 + 4 * finger]
        x, z = {0: (0.0, 0.0), 1: (t[0], t[1]), 2: (t[2], 0.0), 3: (t[3], 0.0)}[joint]
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    return about_z @ about_x


def posed_vertices(theta: np.ndarray, model: dict[str, Any]) -> np.ndarray:
    placed: list[np.ndarray] = []
    for bone, parent in enumerate(model["parents"]):
        local = np.eye(4, dtype=complex)
        local[:3, :3] = rotation_of_bone(theta, bone)
        local = np.array(model["base_relatives"][bone]) @ local
        placed.append(local if parent < 0 else placed[parent] @ local)
    moves = np.array(placed) @ np.array(model["inverse_base_absolutes"])
    positions = np.einsum("vb,bij,vj->vi", model["weights"], moves, model["base_positions"])[:, :3]
    if model["is_mirrored"]:
        positions = positions * [-1, 1, 1]
    is_turned = np.linalg.norm(np.real(theta[:3])) >= 1e-4
    return positions @ (turn(theta[:3]) if is_turned else np.eye(3)).T + theta[3:6]


def hand_residuals(theta: np.ndarray, us: np.ndarray | None, data: dict[str, Any]) -> np.ndarray:
    vertices, model = posed_vertices(theta, data["model"]), data["model"]
    if us is None:
        return (np.array(data["points"]) - vertices[data["correspondences"]]).ravel()
    corners = vertices[np.array(model["triangles"])[data["correspondences"]]]
    shares = np.stack((us[:, 0], us[:, 1], 1 - us[:, 0] - us[:, 1]), axis=1)
    return (np.array(data["points"]) - np.einsum("nc,nci->ni", shares, corners)).ravel()
