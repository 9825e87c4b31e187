import pg from 'pg';

const mapValue = (value) => String(value);

/** A named statement that writes its rows to JSON text as they arrive, and asks for no description of them. */
class PetQuery extends pg.Query {
  /** The rows as JSON, separated by commas, at most `limit` of them. */
  json = '';
  count = 0;
  lastId = '';
  #limit;

  constructor({ name, text }, values, limit, callback) {
    super({ name, text, values }, callback);
    this.#limit = limit;
  }

  prepare(connection) {
    const { name, text, values } = this;
    if (!this.hasBeenParsed(connection)) {
      connection.parse({ text, name });
      connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values, valueMapper: mapValue });
    connection.execute({});
    connection.sync();
  }

  handleDataRow({ fields: [id, name, categoryId, status] }) {
    if (this.count++ >= this.#limit) return;
    const pet = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`;
    this.json = this.json === '' ? pet : `${this.json},${pet}`;
    this.lastId = id;
  }

  handleReadyForQuery() {
    this.callback(null, this);
  }
}

/** One connection on which queries do not wait for each other; those of one turn of the event loop leave in one write. */
export class PipelinedQueries {
  #client;
  #corked = false;
  #uncork = () => {
    this.#corked = false;
    this.#client.connection.stream.uncork();
  };

  constructor(connectionString) {
    this.#client = new pg.Client({ connectionString, pipeline: true });
  }

  start() {
    return this.#client.connect();
  }

  /** Animals as JSON: calls back with the {@link PetQuery}. */
  pets(statement, values, limit, callback) {
    this.#cork();
    this.#client.query(new PetQuery(statement, values, limit, callback));
  }

  async row(statement, values) {
    this.#cork();
    return (await this.#client.query({ ...statement, values })).rows[0];
  }

  #cork() {
    if (this.#corked) return;
    this.#corked = true;
    this.#client.connection.stream.cork();
    setImmediate(this.#uncork);
  }
}
