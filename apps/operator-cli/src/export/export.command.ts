import { type Command, Option } from 'commander';
import { WRITTEN_NAMES } from '../format-names.js';
import { DATABASE_HELP, EXIT_HELP } from '../help.js';
import { parseCurrency, parseSource } from '../import/import.options.js';
import { JSON_OPTION, type JsonOptions } from '../output.js';
import type { Terminal } from '../terminal.js';
import { parseList } from '../values.js';
import type { ExportOptions } from './run-export.js';

const HELP = `
Animals that are available, in the order of their ids, as the portal takes them; docs/portals.md says what becomes of
each member of a profile. The file replaces a portal's whole listing: when there is no animal for it, or when more than
half of the animals of the file that is there would go, or more than ten and more than a fifth, nothing is written.
adoptapet also writes import.cfg into the same folder. petstore is NDJSON if the file ends in .ndjson or .jsonl.

Standard error says how many animals were written, and of each one that is left out why.

Examples:
  $ npm run export -- --format petfinder --out feed/XX123.csv --include-pending
  $ npm run export -- --format rescuegroups --out - --source my-shelter

${DATABASE_HELP}

${EXIT_HELP}, 3 animals were left out (--strict), 4 the file would empty a listing.`;

/** `npm run export`. */
export function addExportCommand(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('Writes the animals of the Pet Store Service to the file of a portal.')
    .addHelpText('after', HELP)
    .addOption(
      new Option('--format <format>', 'for whom the file is').choices(WRITTEN_NAMES).makeOptionMandatory(),
    )
    .requiredOption('--out <file>', 'the file; - is standard output')
    .option('--include-pending', 'also animals that are pending, where the portal takes them', false)
    .option('--include-sold', 'also animals that are sold: petstore only', false)
    .option('--category <categories>', 'only animals of these, by id or name: 7,Cats', parseList)
    .option('--source <name>', 'only animals of this source', parseSource)
    .option('--names <file>', "CSV with the columns ours and theirs: the portal's breeds and colors")
    .option('--currency <code>', 'what the portal counts in; other fees are blank', parseCurrency, 'USD')
    .option('--strict', 'write nothing when an animal is left out', false)
    .option('--allow-many-missing', 'also when there is no animal, or many of before would go', false)
    .addOption(JSON_OPTION)
    .action(async (given: ExportOptions & JsonOptions) => {
      const { runExport } = await import('./run-export.js');
      await runExport(given, terminal);
    });
}
