/** The package brings no types of its own. */
declare module 'cluster-key-slot' {
  /** The slot (0 to 16383) of a key, hash tags considered. */
  export default function calculateSlot(key: string): number;
}
