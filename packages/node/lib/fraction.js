"use strict";

/** An exact number of time units. */
class Fraction {
  constructor(above, below = 1n) {
    const common = divisor(above < 0n ? -above : above, below);
    this.above = above / common;
    this.below = below / common;
  }

  /** Reads what tamper writes: 3, 7/2, 3.5. */
  static read(text) {
    const found = /^(\d+)(?:\/(\d+)|\.(\d+))?$/.exec(text);
    if (!found) throw new Error(`${text} is no time`);
    const [, whole, below, decimals = ""] = found;
    return new Fraction(BigInt(whole + decimals), below ? BigInt(below) : 10n ** BigInt(decimals.length));
  }

  plus(other) {
    return new Fraction(this.above * other.below + other.above * this.below, this.below * other.below);
  }

  minus(other) {
    return this.plus(new Fraction(-other.above, other.below));
  }

  over(other) {
    return new Fraction(this.above * other.below, this.below * other.above);
  }

  times(other) {
    return new Fraction(this.above * other.above, this.below * other.below);
  }

  isNegative() {
    return this.above < 0n;
  }

  isWhole() {
    return this.below === 1n;
  }

  /** The whole number below; of numbers that are not negative. */
  floor() {
    return Number(this.above / this.below);
  }

  toString() {
    return this.isWhole() ? `${this.above}` : `${this.above}/${this.below}`;
  }
}

function divisor(left, right) {
  return right === 0n ? left || 1n : divisor(right, left % right);
}

module.exports = { Fraction };
