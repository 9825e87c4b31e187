/** Measures are in `em`: pages change what `rem` is. */
export const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host { display: block }
  [hidden] { display: none !important }
  [part=list] {
    display: grid; gap: var(--adoptable-gap, 1em); list-style: none; margin: 0; padding: 0;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--adoptable-columns-min, 14em)), 1fr));
  }
  [part~=card] {
    border: 1px solid color-mix(in srgb, currentColor 25%, transparent);
    border-radius: var(--adoptable-radius, .5em); overflow: hidden; break-inside: avoid;
  }
  .card { display: block; color: inherit; text-decoration: none; height: 100% }
  .box { display: block; aspect-ratio: 4 / 3; background: color-mix(in srgb, currentColor 10%, transparent) }
  .box > [part=photo] { display: block; width: 100%; height: 100%; object-fit: cover }
  [part=name], [part=facts], [part=status] { display: block; margin: .5em .75em; overflow-wrap: anywhere }
  [part=name] { font-weight: bold }
  [part~=gone] .box { opacity: .4 }
  a [part=name] { color: var(--adoptable-accent, inherit); text-decoration: underline }
  :is(a, button, input, select, [tabindex]):focus-visible {
    outline: 3px solid var(--adoptable-accent, currentColor); outline-offset: -3px;
  }
  button, input, select { font: inherit; color: inherit; padding: .5em .75em }
  button, select, [type=search] {
    background: transparent; border: 1px solid var(--adoptable-accent, currentColor);
    border-radius: var(--adoptable-radius, .5em);
  }
  option { color: CanvasText; background: Canvas }
  button { cursor: pointer }
  [part=more] { display: block; margin: var(--adoptable-gap, 1em) auto 0 }
  [aria-disabled=true] { opacity: .5 }
  [part=filters] { display: flex; flex-wrap: wrap; gap: 1em; margin: 0 0 1em }
  [part=filters] > label { display: flex; flex-direction: column; gap: .25em; min-width: 0; max-width: 100% }
  [part=filters] :is(select, [type=search]) { max-width: 100%; box-sizing: border-box }
  fieldset { border: 0; margin: 0; padding: 0; min-width: 0 }
  fieldset > label { margin-inline-end: 1em }
  dialog {
    border: 0; border-radius: var(--adoptable-radius, .5em); padding: 1em; box-sizing: border-box;
    width: min(48em, 100% - 1em); max-width: none; max-height: calc(100% - 1em); overflow: auto;
    color: inherit; background: var(--adoptable-background, Canvas); overflow-wrap: anywhere;
  }
  dialog::backdrop { background: rgb(0 0 0 / .6) }
  dialog header { display: flex; justify-content: space-between; align-items: start; gap: 1em }
  dialog h2 { margin: 0; font-size: 1.5em }
  [part=photos] { display: flex; gap: .5em; overflow-x: auto; scroll-snap-type: x mandatory; margin: 1em 0 .5em }
  [part=photos] > img { flex: 0 0 92%; scroll-snap-align: center; aspect-ratio: 4 / 3; object-fit: contain; max-height: 60vh }
  [part=photos] > :only-child { flex-basis: 100% }
  [part=description] { white-space: pre-line }
  [part=details] { display: grid; grid-template-columns: minmax(min-content, max-content) 1fr; gap: .25em 1em }
  [part=details] dt { font-weight: bold }
  [part=details] dd { margin: 0 }
  @media (prefers-reduced-motion: no-preference) { [part=photos] { scroll-behavior: smooth } }
  @media print { [part=filters], [part=more], [part=close] { display: none } }
`);
