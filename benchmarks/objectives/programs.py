"""Bundle adjustment and hand tracking as one writes them; the mixture and the network are those of `redundant.py`."""

from __future__ import annotations

import tapeless as tl

BONES = 22
FINGERS = 5


@tl.function
def rotated(r: tl.f64[3], y: tl.f64[3]) -> tl.f64[3]:
    """A vector turned about an axis whose length is the angle."""
    square = tl.sum(r * r)
    if square == 0.0:
        return y + tl.cross(r, y)
    angle = tl.sqrt(square)
    axis = r / angle
    return y * tl.cos(angle) + tl.cross(axis, y) * tl.sin(angle) + axis * (tl.dot(axis, y) * (1.0 - tl.cos(angle)))


@tl.function
def reprojection(camera: tl.f64[11], point: tl.f64[3], weight: tl.f64, feature: tl.f64[2]) -> tl.f64[2]:
    """How far from a feature a camera sees a point."""
    seen = rotated(camera[:3], point - camera[3:6])
    flat = seen[:2] / seen[2]
    square = tl.sum(flat * flat)
    distortion = 1.0 + camera[9] * square + camera[10] * square * square
    return weight * (camera[6] * distortion * flat + camera[7:9] - feature)


@tl.function
def ba(
    cameras: tl.f64[:, 11],
    points: tl.f64[:, 3],
    weights: tl.f64[:],
    features: tl.f64[:, 2],
    camera_of: tl.i64[:],
    point_of: tl.i64[:],
):
    """The errors of all observations, and those of their weights."""
    errors = tl.map(reprojection, cameras[camera_of], points[point_of], weights, features)
    return errors, 1.0 - weights * weights


@tl.function
def ba_blocks(
    cameras: tl.f64[:, 11],
    points: tl.f64[:, 3],
    weights: tl.f64[:],
    features: tl.f64[:, 2],
    camera_of: tl.i64[:],
    point_of: tl.i64[:],
):
    """Non-zero entries of the Jacobian: each observation by its camera, point and weight; each weight's error."""

    def block(c, p, weight, feature):
        by_camera, by_point, by_weight = tl.jacrev(reprojection, argnums=(0, 1, 2))(
            cameras[c], points[p], weight, feature
        )
        return tl.concat((by_camera, by_point, by_weight[:, None]), axis=1)

    return tl.map(block, camera_of, point_of, weights, features), -2.0 * weights


@tl.function
def bone_rotation(x_angle: tl.f64, z_angle: tl.f64) -> tl.f64[:, :]:
    """The rotation about x and then z, as a transformation of homogeneous coordinates."""
    cx, sx, cz, sz = tl.cos(x_angle), tl.sin(x_angle), tl.cos(z_angle), tl.sin(z_angle)
    return tl.array(
        [
            [cz, -sz * cx, sz * sx, 0.0],
            [sz, cz * cx, -cz * sx, 0.0],
            [0.0, sx, cx, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


@tl.function
def global_rotation(r: tl.f64[:]) -> tl.f64[:, :]:
    """The matrix of a rotation about an axis whose length is the angle; none for very small angles."""
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    if square < 1e-8:
        return tl.eye(3)
    angle = tl.sqrt(square)
    x, y, z = r[0] / angle, r[1] / angle, r[2] / angle
    c, s = tl.cos(angle), tl.sin(angle)
    return tl.array(
        [
            [x * x + (1.0 - x * x) * c, x * y * (1.0 - c) - z * s, x * z * (1.0 - c) + y * s],
            [x * y * (1.0 - c) + z * s, y * y + (1.0 - y * y) * c, y * z * (1.0 - c) - x * s],
            [x * z * (1.0 - c) - y * s, z * y * (1.0 - c) + x * s, z * z + (1.0 - z * z) * c],
        ]
    )


@tl.function
def hand_vertices(
    theta: tl.f64[26],
    parents: tl.i64[:],
    relatives: tl.f64[:, 4, 4],
    inverses: tl.f64[:, 4, 4],
    vertices: tl.f64[:, 4],
    shares: tl.f64[:, :],
) -> tl.f64[:, :]:
    """Where the vertices of the hand are: bones turn one after the other, and each vertex follows some of them."""
    x_angles, z_angles = tl.zeros(BONES), tl.zeros(BONES)
    for finger in range(FINGERS):
        first = 6 + 4 * finger
        x_angles[2 + 4 * finger] = theta[first]
        z_angles[2 + 4 * finger] = theta[first + 1]
        x_angles[3 + 4 * finger] = theta[first + 2]
        x_angles[4 + 4 * finger] = theta[first + 3]
    absolutes = tl.zeros((BONES, 4, 4))
    for b in range(BONES):
        own = relatives[b] @ bone_rotation(x_angles[b], z_angles[b])
        absolutes[b] = own if parents[b] < 0 else absolutes[parents[b]] @ own
    transforms = tl.map(lambda absolute, inverse: absolute @ inverse, absolutes, inverses)
    turn = global_rotation(theta[:3])

    def placed(vertex, share):
        followed = tl.sum(
            tl.map(lambda weight, transform: weight * (transform @ vertex)[:3], share, transforms), axis=0
        )
        return turn @ followed + theta[3:6]

    return tl.map(placed, vertices, shares)


@tl.function
def hand(
    theta: tl.f64[26],
    parents: tl.i64[:],
    relatives: tl.f64[:, 4, 4],
    inverses: tl.f64[:, 4, 4],
    vertices: tl.f64[:, 4],
    shares: tl.f64[:, :],
    seen: tl.f64[:, 3],
    vertex_of: tl.i64[:],
) -> tl.f64[:, :]:
    """Points that were seen, less the vertices they belong to."""
    return seen - hand_vertices(theta, parents, relatives, inverses, vertices, shares)[vertex_of]


@tl.function
def hand_in_triangles(
    theta: tl.f64[26],
    places: tl.f64[:, 2],
    parents: tl.i64[:],
    relatives: tl.f64[:, 4, 4],
    inverses: tl.f64[:, 4, 4],
    vertices: tl.f64[:, 4],
    shares: tl.f64[:, :],
    seen: tl.f64[:, 3],
    triangles: tl.i64[:, 3],
    triangle_of: tl.i64[:],
) -> tl.f64[:, :]:
    """Points that were seen, less where they are in triangles of vertices."""
    placed = hand_vertices(theta, parents, relatives, inverses, vertices, shares)

    def error(point, place, triangle):
        a, b, c = placed[triangle[0]], placed[triangle[1]], placed[triangle[2]]
        return point - (place[0] * a + place[1] * b + (1.0 - place[0] - place[1]) * c)

    return tl.map(error, seen, places, triangles[triangle_of])


@tl.function
def hand_in_triangles_jacobian(
    theta: tl.f64[26],
    places: tl.f64[:, 2],
    parents: tl.i64[:],
    relatives: tl.f64[:, 4, 4],
    inverses: tl.f64[:, 4, 4],
    vertices: tl.f64[:, 4],
    shares: tl.f64[:, :],
    seen: tl.f64[:, 3],
    triangles: tl.i64[:, 3],
    triangle_of: tl.i64[:],
):
    """Each error by the two numbers of its own place, in two directions for all points, and by the angles."""

    def of_places(places):
        return hand_in_triangles(
            theta, places, parents, relatives, inverses, vertices, shares, seen, triangles, triangle_of
        )

    first = tl.jvp(of_places, (places,), (tl.zeros_like(places) + tl.array([1.0, 0.0]),))[1]
    second = tl.jvp(of_places, (places,), (tl.zeros_like(places) + tl.array([0.0, 1.0]),))[1]
    by_theta = tl.jacfwd(hand_in_triangles)(
        theta, places, parents, relatives, inverses, vertices, shares, seen, triangles, triangle_of
    )
    return tl.concat((first[:, :, None], second[:, :, None], by_theta), axis=2)
