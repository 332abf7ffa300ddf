"""ht: hand tracking, the distances of points from the skin of a hand that is posed by 26 numbers."""

from typing import Any

import tapeless as tl
from tapeless.gradbench.problem import Problem, Task, as_lists, floats, integers


@tl.function
def finger_rotation(theta: tl.f64[26], bone: tl.i64) -> tl.f64[3, 3]:
    """How the pose turns a bone relative to the one before it."""
    finger, joint = (bone - 1) // 4, (bone - 1) % 4
    if bone == 0 or bone == 21 or joint == 0:
        return tl.eye(3)
    first = 6 + 4 * finger
    about_x = theta[first] if joint == 1 else theta[first + joint]
    about_z = theta[first + 1] if joint == 1 else 0.0
    cx, sx, cz, sz = tl.cos(about_x), tl.sin(about_x), tl.cos(about_z), tl.sin(about_z)
    return tl.array([[cz, -sz * cx, sz * sx], [sz, cz * cx, -cz * sx], [0.0, sx, cx]])


@tl.function
def global_rotation(r: tl.f64[3]) -> tl.f64[3, 3]:
    square = tl.sum(r * r)
    if square < 1e-8:
        return tl.eye(3)
    angle = tl.sqrt(square)
    a = r / angle
    c, s = tl.cos(angle), tl.sin(angle)
    crossing = tl.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
    return c * tl.eye(3) + s * crossing + (1.0 - c) * tl.outer(a, a)


@tl.function
def skin(theta, parents, relatives, inverses, positions, weights, is_mirrored):
    """Where the vertices of the posed hand are: each follows several bones."""
    bones = len(parents)
    placed = tl.zeros((bones, 4, 4))
    for bone in range(bones):
        turned = relatives[bone, :, :3] @ finger_rotation(theta, bone)
        local = tl.concat((turned, relatives[bone, :, 3:]), axis=1)
        placed[bone] = local if parents[bone] < 0 else placed[parents[bone]] @ local
    moves = tl.map(lambda place, inverse: (place @ inverse)[:3], placed, inverses)
    blended = (weights @ moves.reshape(bones, 12)).reshape(len(weights), 3, 4)
    vertices = tl.map(lambda move, position: move @ position, blended, positions)
    mirror = tl.array([-1.0 if is_mirrored else 1.0, 1.0, 1.0])
    return (vertices * mirror) @ global_rotation(theta[:3]).T + theta[3:6]


@tl.function
def residuals(theta, us, hand, correspondences, points):
    """How far points are from the vertices they correspond to, or from places in triangles."""
    vertices = skin(theta, **hand["bones"])
    if us is None:
        return points - vertices[correspondences]

    def residual(u, correspondence, point):
        a, b, c = hand["triangles"][correspondence]
        return point - (u[0] * vertices[a] + u[1] * vertices[b] + (1.0 - u[0] - u[1]) * vertices[c])

    return tl.map(residual, us, correspondences, points)


@tl.function
def objective(theta, us, hand, correspondences, points):
    return residuals(theta, us, hand, correspondences, points).reshape(3 * len(points))


@tl.function
def jacobian(theta, us, hand, correspondences, points):
    """The derivatives by the pose, after those of each residual by its own place in a triangle."""

    def moved(places, rigid, angles):
        """All places move by the same two numbers; the hand moves as a whole, and its fingers do."""
        theta = tl.concat((rigid, angles))
        return residuals(theta, None if us is None else us + places, hand, correspondences, points)

    by = tl.jacfwd(moved, argnums=("places", "rigid", "angles"))(tl.zeros(2), theta[:6], theta[6:])
    if us is None:
        by = by[1:]
    columns = tl.concat(by, axis=2)
    return columns.reshape(3 * len(points), columns.shape[2])


def arguments(given: dict[str, Any]) -> tuple[Any, ...]:
    data, model = given["data"], given["data"]["model"]
    bones = {
        "parents": integers(model["parents"]),
        "relatives": floats(model["base_relatives"]),
        "inverses": floats(model["inverse_base_absolutes"]),
        "positions": floats(model["base_positions"]),
        "weights": floats(model["weights"]),
        "is_mirrored": bool(model["is_mirrored"]),
    }
    hand = {"bones": bones, "triangles": integers(model["triangles"])}
    us = floats(given["us"]) if given["us"] else None
    return floats(given["theta"]), us, hand, integers(data["correspondences"]), floats(data["points"])


PROBLEM: Problem = {"objective": Task(objective, arguments, as_lists), "jacobian": Task(jacobian, arguments, as_lists)}
