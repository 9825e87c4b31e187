/** Values by the names that scripts use for them: numbers, or strings in Lua's notation. */
export type LuaConstants = Readonly<Record<string, number | string>>;

const NAME = /\b[A-Z][A-Z_]+\b/g;

/** Puts values into a script where their names stand: Lua has no constants, and finds a literal sooner than a variable. */
export function withConstants(source: string, constants: LuaConstants): string {
  return source.replace(NAME, (name) => String(constants[name] ?? name));
}
