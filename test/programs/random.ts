// Random requests on random databases, compared with models that share nothing with the server.
import { command, full } from './program.ts'

export const random = {
  property: command({
    proves: 'Random queries on random databases are answered like the reference interpreter answers them.',
    command: 'node test/property/run.ts --cases 50000',
    needs: ['postgres'],
    night: full,
  }),
  model: command({
    proves: 'Random nested writes leave the rows that the model of writes predicts.',
    command: 'node test/model/run.ts --sequences 20000',
    needs: ['postgres'],
    night: full,
  }),
  differential: command({
    proves: 'REST and GraphQL give the same answers, refusals and rows.',
    command: 'node test/differential/run.ts',
    needs: ['postgres'],
    night: full,
  }),
  oracle: command({
    proves: 'Random reads of random callers are answered as the access definition says.',
    command: 'node test/oracle/run.ts --cases 100000',
    needs: ['postgres'],
    night: full,
  }),
  'oracle-graphql': command({
    proves: 'Random reads of random callers over GraphQL are answered as the access definition says.',
    command: 'node test/oracle/run.ts --cases 100000 --through graphql',
    needs: ['postgres'],
    night: full,
  }),
  'oracle-writes': command({
    proves: 'Random writes of random callers change the rows that the access definition allows, and no others.',
    command: 'node test/oracle/run-writes.ts --sequences 10000',
    needs: ['postgres'],
    night: full,
  }),
  'non-interference': command({
    proves: 'Databases that differ only in rows and fields hidden from the caller give the same responses.',
    command: 'node test/oracle/run-twins.ts --reads 5000',
    needs: ['postgres'],
    night: full,
  }),
  'non-interference-graphql': command({
    proves: 'Databases that differ only in rows and fields hidden from the caller give the same GraphQL responses.',
    command: 'node test/oracle/run-twins.ts --reads 5000 --through graphql',
    needs: ['postgres'],
    night: full,
  }),
  mutants: command({
    proves: 'The random programs find each of the mistakes that are planted in the server.',
    command: 'node test/oracle/mutants.ts',
    needs: ['postgres'],
    night: full,
  }),
  'realtime-oracle': command({
    proves: 'Each subscriber receives exactly the changes that an independent model expects.',
    command: 'node test/realtime/run-oracle.ts --pairs 50000',
    needs: ['postgres'],
    night: full,
  }),
  'file-rights': command({
    proves: 'Random callers get the files and the content that the access definition allows.',
    command: 'node test/files/rights.ts --requests 20000',
    needs: ['postgres'],
    night: full,
  }),
  'file-conditions': command({
    proves: 'Conditional requests and ranges of files are answered as RFC 9110 says.',
    command: 'node test/files/conditions.ts',
    needs: ['postgres'],
    night: full,
  }),
  pictures: command({
    proves: 'Hostile pictures neither end the service, nor fill its memory, nor reveal its tools.',
    command: 'node test/files/run-pictures.ts',
    needs: ['postgres'],
    night: full,
  }),
  explain: command({
    proves: 'Explained permissions agree with the responses of random requests.',
    command: 'node test/explain/run.ts',
    needs: ['postgres'],
    night: full,
  }),
  hostile: command({
    proves: 'Hostile requests neither crash the service, cause a 500, block its event loop nor fill its memory.',
    command: 'node test/hostile/run.ts',
    needs: ['postgres'],
    night: full,
  }),
  attacks: command({
    proves: 'Every attack that once worked is refused.',
    command: 'node test/attacks/run.ts',
    needs: ['postgres', 'mariadb'],
    night: full,
  }),
  'webhook-addresses': command({
    proves: 'No spelling of an address leads a webhook into an internal network.',
    command: 'node test/webhooks/addresses.ts',
    needs: ['postgres'],
    night: full,
  }),
  snapshot: command({
    proves: 'Applying a schema snapshot turns any schema into any other, and changes nothing else.',
    command: 'node test/snapshot/run.ts',
    needs: ['postgres'],
    night: full,
  }),
  'ddl-fuzz': command({
    proves: 'Hostile schema calls send only the listed statements and keep schema and metadata in agreement.',
    command: 'node test/schema/fuzz.ts',
    needs: ['postgres'],
    night: full,
  }),
  'types-random': command({
    proves: 'Responses from random databases have the types that the SDK infers.',
    command: 'node test/types/run.ts',
    needs: ['postgres', 'mariadb'],
    night: full,
  }),
  'openapi-random': command({
    proves: 'OpenAPI documents of random databases are valid and describe what the service does.',
    command: 'node test/openapi/random.ts',
    needs: ['postgres', 'mariadb'],
    night: full,
  }),
}
