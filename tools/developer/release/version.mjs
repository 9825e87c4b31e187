/** Whether `1.10.0` comes after `1.9.3`; both are three whole numbers. */
export function isLater(version, than) {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  const at = left.findIndex((part, i) => part !== right[i]);
  return at !== -1 && left[at] > right[at];
}
