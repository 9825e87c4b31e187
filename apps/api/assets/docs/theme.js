/* global window, document */

// Swagger UI is dark when the root element says so; here the reader's system decides, also while reading.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', apply);
apply();
