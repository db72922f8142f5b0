"""CMA-ES (N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016): makes a function of some
numbers least that has kinks and valleys, which one number at a time gets stuck in."""
import math

import numpy as np


class Evolution:
    """Of `dimensions` numbers, which begin at 0 and are moved by about `step`."""

    def __init__(self, dimensions, step, seed=1):
        d = dimensions
        self.random = np.random.default_rng(seed)
        self.size = 4 + int(3 * math.log(d)) if d > 1 else 4
        ranks = np.arange(1, self.size // 2 + 1)
        weights = math.log(self.size / 2 + 0.5) - np.log(ranks)
        self.weights = weights / weights.sum()
        effective = 1 / (self.weights**2).sum()
        self.effective = effective
        self.slow_path = (4 + effective / d) / (d + 4 + 2 * effective / d)
        self.slow_step = (effective + 2) / (d + effective + 5)
        self.rank_one = 2 / ((d + 1.3) ** 2 + effective)
        self.rank_many = min(1 - self.rank_one,
                             2 * (effective - 2 + 1 / effective) / ((d + 2) ** 2 + effective))
        self.damping = 1 + self.slow_step + 2 * max(0, math.sqrt((effective - 1) / (d + 1)) - 1)
        self.expected = math.sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d * d))
        self.mean, self.step, self.generation = np.zeros(d), step, 0
        self.path, self.step_path, self.covariance = np.zeros(d), np.zeros(d), np.eye(d)

    def ask(self):
        """A generation of points to be judged."""
        squares, self.axes = np.linalg.eigh(self.covariance)
        self.lengths = np.sqrt(np.maximum(squares, 1e-12))
        self.moves = [self.axes @ (self.lengths * self.random.standard_normal(len(self.mean)))
                      for _ in range(self.size)]
        return [self.mean + self.step * move for move in self.moves]

    def tell(self, values):
        """What those points come to, in their order."""
        self.generation += 1
        best = [self.moves[i] for i in np.argsort(values)[:len(self.weights)]]
        move = sum(weight * each for weight, each in zip(self.weights, best))
        self.mean = self.mean + self.step * move
        slow = self.slow_step
        self.step_path = (1 - slow) * self.step_path + math.sqrt(
            slow * (2 - slow) * self.effective) * (self.axes @ (self.axes.T @ move / self.lengths))
        length = np.linalg.norm(self.step_path)
        decayed = math.sqrt(1 - (1 - slow) ** (2 * self.generation))
        straight = length / decayed < (1.4 + 2 / (len(move) + 1)) * self.expected
        slow = self.slow_path
        self.path = (1 - slow) * self.path + straight * math.sqrt(
            slow * (2 - slow) * self.effective) * move
        kept = 1 - self.rank_one - self.rank_many + (
            0 if straight else self.rank_one * slow * (2 - slow))
        self.covariance = kept * self.covariance + self.rank_one * np.outer(
            self.path, self.path) + self.rank_many * sum(
                weight * np.outer(each, each) for weight, each in zip(self.weights, best))
        self.step *= math.exp(self.slow_step / self.damping * (length / self.expected - 1))
