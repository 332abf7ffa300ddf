"""What users of numpy write, name by name and option by option: as numpy, or refused with what to write."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from frontend.running import compare, run
from function_from_text import function_from_text

VALUES: dict[str, Any] = {
    "x": np.array([0.3, -1.2, 2.5, 0.7, 1.1]),
    "w": np.array([0.1, 0.4, 0.2, 0.9, 0.3]),
    "m": np.arange(12.0).reshape(3, 4) ** 1.3 - 7.0,
    "c": np.sin(np.arange(24.0)).reshape(2, 3, 4),
    "k": np.array([3, 1, 4, 1, 0]),
    "b": np.array([True, False, True, True, False]),
    "v": np.array([1.5, -0.5, 2.0]),
    "q": np.arange(9.0).reshape(3, 3) ** 1.1,
    "s": 0.5,
    "n": 3,
}

# Expressions that mean the same to numpy, Python and the language.
WORKS = """
np.arange(5) | np.arange(1,5) | np.arange(1,7,2) | np.arange(5, dtype=float) | np.arange(0, 1, 0.3)
np.arange(5., 1., -1.5) | np.arange(start=1, stop=4) | np.arange(n) | np.arange(4, dtype=np.float32)
np.arange(1, 5, 2, np.int32) | np.arange(5, 0, -1)
np.eye(3) | np.eye(3,4) | np.eye(3,4,1) | np.eye(3,k=-1) | np.eye(N=3) | np.eye(3,M=2)
np.eye(3,dtype=np.int64) | np.eye(3, order="F") | np.eye(3, None, 0, np.float32) | np.identity(3)
np.identity(3, np.int64)
np.diag(x) | np.diag(q) | np.diag(x,1) | np.diag(q,k=-1) | np.diag(m) | np.diag(v=x)
np.diagonal(q) | np.diagonal(q,1) | np.diagonal(q,offset=-1) | np.diagonal(c) | np.diagonal(c,0,1,2)
np.diagonal(q, axis1=1, axis2=0) | q.diagonal() | q.diagonal(1) | m.diagonal(0, 1, 0)
np.trace(q) | np.trace(q,1) | np.trace(q,offset=-1) | np.trace(c) | q.trace() | q.trace(1)
np.trace(c, 0, 1, 2) | q.trace(axis1=1, axis2=0)
np.tril(q) | np.tril(q,1) | np.tril(q,k=-1) | np.tril(c) | np.triu(q) | np.triu(m,1) | np.triu(c,-1)
np.tril(v)
np.concatenate((x,w)) | np.concatenate([m,m],axis=1) | np.concatenate((m,m),1) | np.concatenate((m,q),axis=None)
np.concatenate((m,m),axis=-1) | np.concatenate((x,k)) | np.concat((x,w))
np.vstack((x,w)) | np.vstack([m,m]) | np.hstack((x,w)) | np.hstack([m,m]) | np.hstack((x,k)) | np.stack((x,w))
np.stack((x,w),1) | np.stack([x,w],axis=-1)
np.flip(x) | np.flip(m) | np.flip(m,0) | np.flip(m,axis=1) | np.flip(c,axis=(0,2)) | np.flip(m=m)
np.roll(x,1) | np.roll(m,1) | np.roll(m,1,0) | np.roll(m,shift=2,axis=1) | np.roll(m,(1,2),axis=(0,1))
np.roll(m,-1,axis=-1)
np.diff(x) | np.diff(m) | np.diff(x,2) | np.diff(m,axis=0) | np.diff(x,n=2,axis=0) | np.diff(x,prepend=0)
np.diff(x,append=0.5) | np.diff(x, prepend=x[:2]) | np.diff(m, prepend=0.0, axis=0) | np.diff(k)
np.clip(x,0,1) | np.clip(x,None,1) | np.clip(x,0,None) | np.clip(x,a_min=0,a_max=1) | np.clip(x,min=0,max=1)
x.clip(0,1) | x.clip(max=0.5) | x.clip(min=0.5) | np.clip(k,1,3) | np.clip(k,0.5,2.5) | np.clip(x,w,1)
np.clip(x) | np.clip(x, 1, 0)
np.square(x) | np.square(k) | np.square(s)
np.var(x) | np.var(m,0) | np.var(m,axis=1,ddof=1) | np.var(m,axis=(0,1)) | np.var(m,axis=0,keepdims=True)
np.var(x,correction=1) | x.var() | x.var(ddof=1) | m.var(0) | m.var(axis=0,keepdims=True) | np.var(k)
np.var(b)
np.std(x) | np.std(m,0) | np.std(m,axis=1,ddof=1) | x.std() | m.std(1) | np.std(x,correction=1)
m.std(axis=1,ddof=1,keepdims=True)
np.median(x) | np.median(m,0) | np.median(m,axis=1,keepdims=True) | np.median(m,axis=(0,1))
np.median(x,overwrite_input=True) | np.median(k) | np.median(b)
np.average(x) | np.average(x,weights=w) | np.average(m,axis=0) | np.average(m,0,v)
np.average(m,axis=0,weights=v,keepdims=True) | np.average(k) | np.average(x,weights=k)
np.repeat(x,2) | np.repeat(m,2) | np.repeat(m,2,axis=0) | np.repeat(m,2,1) | np.repeat(x,k)
np.repeat(x,[1,2,0,1,1]) | np.repeat(m,v.astype(int)*0+2,axis=0) | np.repeat(m,np.array([1,0,2]),axis=0)
np.repeat(m,[1,0,2,1],axis=1) | x.repeat(2) | x.repeat(k) | m.repeat(2,axis=1) | m.repeat([1,2,0],0)
np.repeat(x,repeats=2) | np.repeat(s,3) | np.repeat(x, [2]) | np.repeat(m,[1,0,2,1,1,1,1,1,0,0,0,3])
np.repeat(k, k) | np.repeat(x, np.array([2]))
np.tile(x,2) | np.tile(x,(2,3)) | np.tile(m,(1,2)) | np.tile(m,2) | np.tile(x,reps=2) | np.tile(x,n)
np.tile(c, (2,1))
np.pad(x,1) | np.pad(x,(1,2)) | np.pad(m,((1,0),(0,2))) | np.pad(x,1,mode="edge") | np.pad(x,1,"reflect")
np.pad(x,2,"wrap") | np.pad(x,1,"symmetric") | np.pad(x,1,constant_values=5) | np.pad(x,1,constant_values=(1,2))
np.pad(m,1,constant_values=((1,2),(3,4))) | np.pad(x,1,"constant",constant_values=0.5) | np.pad(k,1)
np.pad(x, (1,)) | np.pad(m, ((1,2),))
np.cross(v,v*2+1) | np.cross(q,q+v) | np.cross(q,q.T+v,axis=0) | np.cross(q,v,axisa=0)
np.cross(q, q*q, axisc=0) | np.cross(v, q)
np.einsum("ij,jk->ik",q,q) | np.einsum("ij->ji",m) | np.einsum("ij,jk",q,q) | np.einsum("i,i",x,w)
np.einsum("ij,j->i",m,m[0],optimize=True) | np.einsum("ij->",m) | np.einsum("i,i->",x,w) | np.einsum("ji", m)
np.einsum("ii",q) | np.einsum("ii->i",q) | np.einsum("...i->...",m) | np.einsum(m,[0,1]) | np.einsum(m,(0,1),(1,))
np.meshgrid(x,v)[0] | np.meshgrid(x,v,indexing="ij")[1] | np.meshgrid(x,v,copy=False)[0]
np.meshgrid(x, v, indexing="xy")[1]
np.take(x,k) | np.take(x,2) | np.take(m,np.array([0,2]),axis=0) | np.take(m,[1,0],1) | np.take(m,5)
np.take(x,k,mode="clip") | np.take(x,k+3,mode="wrap") | np.take(x,k+3,mode="clip") | x.take(k)
m.take([0,1],axis=1) | np.take(x, -1) | np.take(x, indices=k, axis=0) | x.take(k, mode="wrap")
np.interp(s,np.sort(x),w) | np.interp(w,np.sort(x),w) | np.interp(w,np.sort(x),w,left=0,right=1)
np.interp(w,np.sort(x),w,0.0,1.0) | np.interp(9.0,np.sort(x),w,right=7)
np.searchsorted(np.sort(x),s) | np.searchsorted(np.sort(x),w) | np.searchsorted(np.sort(x),w,side="right")
np.searchsorted(x,w,sorter=np.argsort(x)) | np.searchsorted(np.sort(x),w,"right") | np.sort(x).searchsorted(w)
np.searchsorted(np.sort(x), m)
np.bincount(k) | np.bincount(k,w) | np.bincount(k,weights=w) | np.bincount(k,minlength=8) | np.bincount(k,w,8)
x.flatten() | m.flatten() | m.flatten("F") | m.flatten(order="F") | m.flatten("C") | m.ravel() | np.ravel(m)
np.ravel(m,order="F") | np.ravel(m,"C") | m.ravel("F") | np.ravel(s)
np.squeeze(m[None],axis=0) | np.squeeze(m[None],0) | m[None].squeeze(0) | np.squeeze(np.ones((1,3,1)))
np.ones((1,3,1)).squeeze() | np.squeeze(np.ones((1,3,1)),axis=(0,2)) | np.expand_dims(x,0)
np.expand_dims(x,axis=1) | np.expand_dims(x,-1) | np.expand_dims(x,axis=(0,2)) | np.expand_dims(s,0)
np.swapaxes(c,0,1) | np.swapaxes(c,axis1=0,axis2=-1) | c.swapaxes(0,2) | np.moveaxis(c,0,-1)
np.moveaxis(c,[0,1],[1,0]) | np.moveaxis(c,source=0,destination=2)
np.logaddexp(x,w) | np.logaddexp(k,k) | np.logaddexp(x,0)
np.mod(x,w) | np.mod(k,2) | np.remainder(x,w) | np.mod(x, -0.7)
np.degrees(x) | np.radians(x) | np.rad2deg(x) | np.deg2rad(k)
np.isinf(x) | np.isnan(x) | np.isfinite(x) | np.isinf(k) | np.isnan(k)
np.logical_and(b,b) | np.logical_or(x,w) | np.logical_xor(b,x) | np.logical_not(x) | np.logical_and(x, 0)
np.sum(m,0) | np.sum(m,axis=-1) | np.sum(m,axis=0,keepdims=True) | m.sum(0) | m.sum(1,keepdims=True) | np.sum(b)
np.sum(k) | np.sum(m,(0,1)) | np.sum(a=x) | sum(x)
np.prod(m,0) | x.prod() | np.prod(k) | np.prod(b)
np.mean(m,0) | np.mean(m,axis=1,keepdims=True) | m.mean(0) | np.mean(k) | np.mean(b)
np.max(m,0) | np.max(m,axis=0) | np.max(m) | m.max(0) | m.max(axis=1,keepdims=True) | m.max() | np.min(m,0)
m.min(0) | m.min(-1) | np.min(x,axis=0) | np.amax(m,0) | np.amin(m) | max(x) | min(x[0],x[1],x[2]) | np.max(k)
m.max((0,1)) | np.max(b) | np.max(m, axis=None)
np.argmax(m) | np.argmax(m,0) | m.argmax(1) | np.argmin(m,axis=0,keepdims=True) | m.argmin() | np.argmax(b)
np.cumsum(x) | np.cumsum(m) | np.cumsum(m,0) | np.cumsum(m,axis=1) | m.cumsum() | m.cumsum(1) | np.cumprod(m)
np.cumprod(x) | m.cumprod(axis=1) | np.cumsum(k) | np.cumsum(b) | np.cumsum(m, None) | m.cumsum(axis=None)
np.any(b) | np.any(m>0,0) | np.all(m>-9,axis=1,keepdims=True) | b.any() | np.any(x) | np.all(x) | (m>0).all(0)
np.all(k)
np.sort(x) | np.sort(m) | np.sort(m,0) | np.sort(m,axis=None) | np.sort(x,kind="stable")
np.sort(x,stable=True) | np.argsort(x) | np.argsort(m,axis=0) | np.argsort(m,axis=None) | x.argsort()
m.argsort(0) | np.argsort(k, kind="stable")
np.zeros(3) | np.zeros((2,3)) | np.zeros(3,int) | np.zeros(3,dtype=np.int32) | np.zeros(3,order="F")
np.zeros(shape=3) | np.ones((2,2),np.float32) | np.full(3,2.0) | np.full((2,2),fill_value=7)
np.full(3,2,dtype=float) | np.zeros_like(m) | np.zeros_like(k,dtype=float) | np.full_like(k,2.5)
np.full_like(m,fill_value=1) | np.full_like(k,2,dtype=float) | np.ones_like(x, np.int64) | np.zeros([2,3])
np.full(3,x[0]) | np.zeros_like(s) | np.empty(3)*0 | np.empty_like(m)*0 | np.zeros(3,"float32") | np.zeros(n)
np.full(3, True)
np.linspace(0,1,5) | np.linspace(0,1,num=5) | np.linspace(0,1) | np.linspace(0,1,5,endpoint=False)
np.linspace(start=0,stop=2,num=3) | np.linspace(s,2,n) | np.linspace(0,1,1) | np.linspace(0,1,0)
np.linspace(0,1,5,False)
np.reshape(m,(4,3)) | np.reshape(m,-1) | m.reshape(2,6) | m.reshape((2,-1)) | np.reshape(m,shape=(4,3))
m.reshape(-1) | np.reshape(m, 12) | m.reshape([4,3])
np.transpose(m) | np.transpose(c,(1,0,2)) | np.transpose(c,axes=(2,0,1)) | c.transpose(1,0,2)
c.transpose((1,0,2)) | c.transpose() | c.T | np.transpose(c, [0,2,1]) | np.permute_dims(c,(1,0,2))
np.dot(x,w) | np.dot(m,m[0]) | x.dot(w) | np.dot(s,x) | np.matmul(q,q) | np.matmul(c,m.T) | np.inner(x,w)
np.inner(m,m) | np.vdot(m,m) | np.outer(x,w) | np.outer(m,x) | np.matmul(c,c.swapaxes(1,2)) | np.outer(x, s)
np.linalg.norm(x,1)
np.append(x,w) | np.append(x,1.0) | np.append(m,m,axis=0) | np.append(m,m) | np.append(arr=x, values=w)
np.array([1,2,3]) | np.array([[s,1],[2,s]]) | np.array([1,2],dtype=float) | np.array(x)
np.array(x,dtype=np.float32) | np.asarray(k,float) | np.array(x,copy=True) | np.array(s) | np.array([x,w])
np.array((1.5,2)) | np.asarray(x, dtype=np.float64) | np.copy(x) | x.copy() | x.copy(order="C")
np.copy(x,order="F") | x.astype(np.float32) | x.astype("int64") | k.astype(float,copy=False)
np.asarray(m, order="F") | np.array([1, 2.5, True])
np.where(b,x,w) | np.where(b,1,0) | np.where(x>0,x,0) | np.where(b, 1, 2.5)
np.abs(x) | abs(k) | np.exp(k) | np.sqrt(k) | np.absolute(x) | np.fabs(k)
np.round(x) | np.round(x,1) | np.round(x,decimals=2) | x.round() | x.round(1) | round(x[0],1) | np.around(x,1)
np.floor(x) | np.trunc(x) | np.rint(x) | np.round(k) | np.round(m,-1)
np.minimum(x,w) | np.maximum(x,0) | np.fmin(x,w) | np.heaviside(x,0.5) | np.sign(x) | np.power(x,2)
np.power(k,2) | np.hypot(x,w) | np.arctan2(x,w) | np.reciprocal(x) | np.exp2(k) | np.cbrt(x)
np.floor_divide(x,w) | np.divmod(k,2) | np.full(2,n) | m.size | m.ndim | np.log(x) | math.prod(x)
math.sqrt(s) | math.exp(s) | math.pow(s,2) | math.isinf(s) | math.atan2(s,s) | math.degrees(s) | math.fabs(-s)
pow(s,2) | int(s) | float(n) | bool(n) | abs(-n) | divmod(n,2) | len(m) | max(1,2,3)
np.repeat(m, k[:3], axis=0) | np.pad(m, ((2, 1), (0, 3)), "reflect") | np.pad(m, ((4, 7), (9, 1)), "symmetric")
np.pad(m, (5, 6), mode="wrap") | np.pad(x[:1], 3, "reflect") | np.round(-w, 1) | np.linspace(0, 1, 3, endpoint=False)
np.sum((x, w), axis=0) | np.sum([x[0], x[1]]) | sum((s,s)) | max((s,1.0)) | any((b[0],b[1])) | np.mean([s, 2.0])
min((x[0], x[1])) | np.max([x, w], axis=1) | np.max((x, w), 0) | sum([x, w]) | all((b[0], b[2])) | np.cumsum([s, s])
np.quantile(x, 0.3, method="linear") | np.cov(m, bias=False) | np.gradient(x, edge_order=1) | np.isclose(x, w, 0.5)
np.sum(k,dtype=np.float32) | np.sum(x,initial=5) | np.sum(x,where=b) | x.sum(where=b) | x.sum(initial=1.0,where=x>s)
k.sum(axis=0, dtype=np.float32) | np.prod(x,where=b) | np.prod(x,initial=2) | np.mean(x,where=b)
np.mean(k,dtype=np.float32) | np.max(x,initial=3) | np.max(x,where=b,initial=0) | np.cumsum(k,dtype=np.float32)
np.any(b,where=~b) | np.all(b,where=b) | np.min(m,1,initial=-3.0) | np.max(m,axis=0,initial=0.5,keepdims=True)
np.max(c,axis=(0,2),initial=0.5) | np.max(x[:0],initial=1.5) | m.min(initial=-1.0,where=m>0)
np.sum(m,axis=1,keepdims=True,where=m[0]>-6.5) | np.add.reduce(m,where=m>0) | np.maximum.reduce(m,initial=1.0)
np.maximum.reduce(m,axis=1,initial=1.0,where=m<9) | np.multiply.reduce(x,initial=s) | np.sum(x,where=True)
np.sum(b,dtype=np.float32) | np.prod(k,dtype=float) | np.cumprod(k,dtype=np.float64) | np.mean(c,axis=(0,1),where=c>0)
np.max(k,initial=2) | np.sum(k,initial=1) | np.logical_and.reduce(b,where=b) | np.max(m,1,initial=s)
np.mean(m,axis=1,where=m[0]>-6.9) | np.sum(k,dtype=np.int32) | np.sum(x,dtype=None) | np.mean(x,where=b,keepdims=True)
sum(x, 1.0) | sum(x, s) | sum([x, w], w) | sum((n, n)) | sum([m[0], m[1]]) | sum(k) | sum([k, x]) | sum([s, n], 2)
"""

# Expressions that are refused: what the message says, and what it tells to write.
REFUSED: list[tuple[str, str, str]] = [
    ("np.max(x, where=b)", "'where' without 'initial' in np.max", "give the value of no elements, as in initial=0.0"),
    ("np.sum(x, dtype='int16')", "'int16' is no dtype of the language", "use tl.f64, tl.f32"),
    ("np.median(x, where=b)", "tl.median has no option 'where'", "tl.where(condition, tl.median(...), other)"),
    ("np.nansum(x, initial=1.0)", "tl.nansum has no option 'initial'", "combine it with the result"),
    ('np.quantile(x, 0.3, method="lower")', "tl.quantile has no option 'method'", "as in tl.sort(x)[k]"),
    ("np.cov(m, bias=True)", "tl.cov has no option 'bias'", "write ddof=0"),
    ("np.gradient(x, edge_order=2)", "tl.gradient has no option 'edge_order'", "leave it out"),
    ("np.trace(q,dtype=np.float32)", "tl.trace has no option 'dtype'", "convert with tl.astype(x, dtype)"),
    ("np.concatenate((x,w),dtype=np.float32)", "tl.concat has no option 'dtype'", "convert with tl.astype(x, dtype)"),
    ("np.concatenate((x,w),out=x)", "tl.concat has no option 'out'", "assign the result, as in x = tl.concat(...)"),
    ("np.vstack(m)", "tl.vstack of an array", "write tl.vstack((a, b))"),
    ("np.vstack((x,w),dtype=np.float32)", "tl.vstack has no option 'dtype'", "convert with tl.astype(x, dtype)"),
    ("np.hstack((x,w),dtype=np.float32)", "tl.hstack has no option 'dtype'", "convert with tl.astype(x, dtype)"),
    ("np.stack((x,w), out=m)", "tl.stack has no option 'out'", "assign the result, as in x = tl.stack(...)"),
    ("np.clip(x,0,1,out=x)", "tl.clip has no option 'out'", "assign the result, as in x = tl.clip(...)"),
    ("np.clip(x, 0, 1, where=b)", "tl.clip has no option 'where'", "write tl.where(condition, tl.clip(...), other)"),
    ("x.clip(0, 1, out=x)", "tl.clip has no option 'out'", "assign the result, as in x = tl.clip(...)"),
    ("np.square(x,where=b)", "tl.square has no option 'where'", "write tl.where(condition, tl.square(...), other)"),
    ("np.square(x,out=x)", "tl.square has no option 'out'", "assign the result, as in x = tl.square(...)"),
    ("np.square(x,dtype=np.float32)", "tl.square has no option 'dtype'", "convert with tl.astype(x, dtype)"),
    ("np.var(x,dtype=np.float32)", "tl.var has no option 'dtype'", "convert with tl.astype(x, dtype)"),
    (
        "np.var(x,where=b)",
        "tl.var has no option 'where'",
        "write the sum of squared distances, with tl.where(condition, ..., 0)",
    ),
    ("np.var(x,mean=0.5)", "tl.var has no option 'mean'", "leave it out"),
    ("np.var(m,0,None,None,1)", "tl.var: too many positional arguments", "its parameters"),
    ("np.var(x, out=x)", "tl.var has no option 'out'", "assign the result, as in x = tl.var(...)"),
    (
        "np.std(x,where=b)",
        "tl.std has no option 'where'",
        "write the sum of squared distances, with tl.where(condition, ..., 0)",
    ),
    ("np.std(m,None,None,None,1)", "tl.std: too many positional arguments", "its parameters"),
    ("np.median(x, out=x)", "tl.median has no option 'out'", "assign the result, as in x = tl.median(...)"),
    ("np.median(m,0,None,False,True)", "tl.median: too many positional arguments", "its parameters"),
    (
        "np.average(x,weights=w,returned=True)",
        "tl.average has no option 'returned'",
        "write tl.sum(weights) for the second result",
    ),
    ("np.average(m,0,v,True)", "tl.average: too many positional arguments", "its parameters"),
    (
        'np.pad(x,1,mode="linear_ramp")',
        "tl.pad does not know this mode",
        "use 'constant', 'edge', 'reflect', 'symmetric', 'wrap', or tl.concat",
    ),
    (
        'np.pad(x,1,mode="mean")',
        "tl.pad does not know this mode",
        "use 'constant', 'edge', 'reflect', 'symmetric', 'wrap', or tl.concat",
    ),
    (
        'np.pad(x, 1, mode="empty")',
        "tl.pad does not know this mode",
        "use 'constant', 'edge', 'reflect', 'symmetric', 'wrap', or tl.concat",
    ),
    ('np.einsum("i,j->ij",x,w,out=m)', "tl.einsum has no option 'out'", "assign the result, as in x = tl.einsum(...)"),
    (
        'np.einsum("i,j->ij",x,w,dtype=np.float32)',
        "tl.einsum has no option 'dtype'",
        "convert with tl.astype(x, dtype)",
    ),
    (
        "np.meshgrid(x,v,sparse=True)[0]",
        "tl.meshgrid has no option 'sparse'",
        "index with new axes, as in x[None, :] and y[:, None]",
    ),
    ("np.take(x,k,out=x)", "tl.take has no option 'out'", "assign the result, as in x = tl.take(...)"),
    (
        "np.interp(w,np.sort(x),w,period=3.0)",
        "tl.interp has no option 'period'",
        "reduce the arguments with tl.mod, and repeat the points on both sides",
    ),
    ('np.ravel(m, order="K")', "the order of elements is not known", "write order='C' for rows first, or order='F'"),
    (
        "np.logaddexp(x,w,where=b)",
        "tl.logaddexp has no option 'where'",
        "write tl.where(condition, tl.logaddexp(...), other)",
    ),
    ("np.mod(x,w,out=x)", "tl.mod has no option 'out'", "assign the result, as in x = tl.mod(...)"),
    ("np.mod(x, w, where=b)", "tl.mod has no option 'where'", "write tl.where(condition, tl.mod(...), other)"),
    ("np.degrees(x,where=b)", "tl.degrees has no option 'where'", "write tl.where(condition, tl.degrees(...), other)"),
    ("np.isinf(x,where=b)", "tl.isinf has no option 'where'", "write tl.where(condition, tl.isinf(...), other)"),
    (
        "np.logical_and(b,b,where=b)",
        "tl.logical_and has no option 'where'",
        "write tl.where(condition, tl.logical_and(...), other)",
    ),
    (
        "np.logical_not(b, out=b)",
        "tl.logical_not has no option 'out'",
        "assign the result, as in x = tl.logical_not(...)",
    ),
    ("np.sum(m,0,None,None,True)", "tl.sum: too many positional arguments", "its parameters"),
    ("np.sum(x, out=x)", "tl.sum has no option 'out'", "assign the result, as in x = tl.sum(...)"),
    ("np.max(m,1,None,True)", "np.max: too many positional arguments", "its parameters"),
    ("np.argmax(x,out=k)", "tl.argmax has no option 'out'", "assign the result, as in x = tl.argmax(...)"),
    ("np.argmax(m, None, None, keepdims=True)", "tl.argmax: too many positional arguments", "its parameters"),
    ("np.sort(x, descending=True)", "tl.sort has no option 'descending'", "write tl.flip(tl.sort(x))"),
    ("np.ones_like(m,shape=(2,2))", "tl.ones_like has no option 'shape'", "write tl.full(shape, value, dtype)"),
    ("np.full((2,5), x)", "the value is an array of type tl.f64[:]", "use a scalar here"),
    (
        "np.linspace(0,1,5,retstep=True)",
        "tl.linspace has no option 'retstep'",
        "write (b - a) / (n - 1) for the distance",
    ),
    ("np.linspace(0,9,4,dtype=int)", "tl.linspace has no option 'dtype'", "convert with tl.astype(x, dtype)"),
    ("np.linspace(x, w, 3)", "the first number is an array of type tl.f64[:]", "use a scalar here"),
    (
        'np.reshape(m,(4,3),order="F")',
        "tl.reshape has no option 'order'",
        "arrays are in row-major order; transpose before and after",
    ),
    (
        'm.reshape(4,3,order="F")',
        "tl.reshape has no option 'order'",
        "arrays are in row-major order; transpose before and after",
    ),
    ('np.reshape(m,(4,3),"C")', "tl.reshape: too many positional arguments", "its parameters"),
    ("np.dot(c,m[0])", "tl.dot takes vectors and matrices", "use tl.matmul for arrays of higher rank"),
    ("np.inner(c,m[0])", "tl.dot takes vectors and matrices", "use tl.matmul for arrays of higher rank"),
    ("np.dot(x,w,out=x)", "tl.dot has no option 'out'", "assign the result, as in x = tl.dot(...)"),
    ("np.array(x,ndmin=2)", "tl.array has no option 'ndmin'", "add axes by an index"),
    ("np.abs(x,where=b)", "tl.abs has no option 'where'", "write tl.where(condition, tl.abs(...), other)"),
    ("np.exp(x,out=x)", "tl.exp has no option 'out'", "assign the result, as in x = tl.exp(...)"),
    ("np.exp(x,dtype=np.float32)", "tl.exp has no option 'dtype'", "convert with tl.astype(x, dtype)"),
    (
        "np.maximum(x,w,where=b)",
        "tl.maximum has no option 'where'",
        "write tl.where(condition, tl.maximum(...), other)",
    ),
    ("np.add(x,w,out=x)", "tl.add has no option 'out'", "assign the result, as in x = tl.add(...)"),
    ("math.log(s,2)", "tl.log: too many positional arguments", "its parameters"),
    ("math.hypot(s,s,s)", "tl.hypot: too many positional arguments", "its parameters"),
    ("pow(n,2,5)", "tl.pow: too many positional arguments", "its parameters"),
]


def function_of(expressions: str) -> Any:
    text = f"def f({', '.join(VALUES)}):\n    return ({expressions},)\n"
    return function_from_text(text, "f", np=np, math=math)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("line", WORKS.strip().splitlines())
def test_as_numpy(line: str) -> None:
    function = function_of(line.replace(" | ", ", "))
    with np.errstate(all="ignore"):
        wanted = function(*copy.deepcopy(list(VALUES.values())))
    found = run(function, *VALUES.values())
    for expression, each, expected in zip(line.split(" | "), found, wanted, strict=True):
        compare(each, expected, rtol=1e-10)
        kinds = [np.asarray(one[0] if isinstance(one, tuple) else one).dtype for one in (each, expected)]
        assert kinds[0] == kinds[1], expression


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("expression", "what", "instead"), REFUSED, ids=[each[0] for each in REFUSED])
def test_refused(expression: str, what: str, instead: str) -> None:
    with pytest.raises(tl.TapelessError) as error:
        tl.function(function_of(expression))(*VALUES.values())
    lines = str(error.value).splitlines()
    assert what in lines[0] and instead in lines[-1]
    assert lines[0].startswith("<text ")


def test_repetitions_that_are_negative_or_too_few() -> None:
    repeat = tl.function(lambda x, k: np.repeat(x, k))
    with pytest.raises(tl.ArgumentError, match="repeated less than 0 times"):
        repeat(VALUES["x"], np.array([1, -1, 0, 0, 0]))
    with pytest.raises(tl.ShapeMismatch, match="sizes 5 and 3"):
        repeat(VALUES["x"], np.array([1, 1, 0]))
    assert repeat(np.zeros(0), np.zeros(0, int)).shape == (0,)


def test_the_operators_of_the_language_keep_their_parameters() -> None:
    """`max` of two arguments is elementwise and `cumsum` works along the first axis, where numpy has it otherwise."""
    m = VALUES["m"]
    largest, sums = tl.function(lambda m: (tl.max(m, 0), tl.cumsum(m)))(m)
    np.testing.assert_array_equal(largest, np.maximum(m, 0))
    np.testing.assert_allclose(sums, np.cumsum(m, axis=0), rtol=1e-12)


@pytest.mark.parametrize("name", ["hanning", "vander", "diagflat", "trim_zeros"])
def test_functions_of_numpy_are_not_read(name: str) -> None:
    with pytest.raises(tl.FrontendError, match=f"'np.{name}' is not a function of the language"):
        tl.function(function_of(f"np.{name}(3)"))(*VALUES.values())
