/** Reads a number from the command line. */
export function amount(options, name, min, max) {
  const value = Number(options[name]);
  if (!(value >= min && value <= max)) throw new Error(`--${name} must be from ${min} to ${max}.`);
  return value;
}

/** Reads names separated by commas; everything when left out. */
export function choice(options, name, all, nameOf = (one) => one) {
  const text = options[name];
  if (text === undefined) return all;
  const wanted = text.split(',').map((part) => part.trim());
  for (const part of wanted) {
    if (!all.some((one) => nameOf(one) === part))
      throw new Error(`--${name}: there is no ${part}; there are ${all.map(nameOf).join(', ')}.`);
  }
  return all.filter((one) => wanted.includes(nameOf(one)));
}
