/**
 * The part of a statement that writes an event down, in the same transaction as the change. Its rows are those of
 * `source`, which is a part of the same statement and gives a row for each change, after its row lock.
 *
 * @param type of the event: `pet.created`
 * @param data SQL of its data, of columns of `source` and parameters
 */
export function writeEvent(type: string, resource: string, data: string, source: string): string {
  return `insert into outbox (type, resource, data) select '${type}', '${resource}', ${data} from ${source}`;
}
