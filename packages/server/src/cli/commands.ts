import type { Command } from './command.ts'

const dryRun = (what: string) => ({ flags: '--dry-run', what })
const file = (what: string) => ({ name: '<file>', what })
const scope = [
  { flags: '--include <list>', what: 'with roles, policies, permissions, settings' },
  { flags: '--collections <list>', what: 'only these collections' },
  { flags: '--exclude <list>', what: 'all collections but these' },
  { flags: '--yaml', what: 'print YAML' },
]
const comparison = [
  { flags: '--collections <list>', what: 'only these collections' },
  { flags: '--exclude <list>', what: 'all collections but these' },
  { flags: '--mirror', what: 'drop what the snapshot does not name' },
  { flags: '--force', what: 'take a file of another version or another kind of database' },
]

const asJson = { flags: '--json', what: 'print JSON' }
const asYaml = { flags: '--yaml', what: 'print YAML' }
const passwordStdin = { flags: '--password-stdin', what: 'read the password from standard input' }
const user = { name: '<email>', what: 'the e-mail address of a user' }

/** Every command. A name of two words is a command of a group. */
export const commands = {
  start: {
    summary: 'serve the database in DATABASE_URL; every setting is also an option',
    settings: 'all',
    listsSettings: true,
    examples: ['tain start --database-url postgres://localhost/shop --port 8055'],
    load: async () => (await import('./start.ts')).start,
  },
  dev: {
    summary: 'serve for development: on this machine alone, and again when .env changes',
    options: [{ flags: '--no-open', what: 'open no browser' }],
    settings: 'all',
    readsEnvironmentFile: false,
    examples: ['tain dev --database-url sqlite:./my.db'],
    load: async () => (await import('./dev.ts')).dev,
  },
  try: {
    summary: 'serve a database for a look at it, without writing anything; "tain <url>" is the same',
    operands: [{ name: '<url>', what: 'the URL of a database, or the path of a .db or .sqlite file' }],
    settings: 'all',
    examples: ['tain postgres://app@localhost/shop', 'tain ./shop.db --port 9000'],
    load: async () => (await import('./try.ts')).tryDatabase,
  },
  demo: {
    summary: 'serve a generated shop from a temporary file',
    options: [
      { flags: '--rows <count>', what: 'rows of all tables together (2000)' },
      {
        flags: '--out <place>',
        what: 'write the shop to a file, or to an empty database by its URL, and do not serve it',
      },
    ],
    settings: 'all',
    examples: [
      'tain demo',
      'tain demo --rows 1000000',
      'tain demo --out shop.db',
      'tain demo --out postgres://localhost/shop',
    ],
    load: async () => (await import('./demo.ts')).demo,
  },
  init: {
    summary: "create the service's tables, the first administrator and a file .env, after showing them",
    options: [
      { flags: '--email <address>', what: 'the first administrator' },
      passwordStdin,
      { flags: '--yes', what: 'create without asking' },
      { flags: '--force', what: 'replace a file .env' },
    ],
    settings: 'all',
    examples: ['tain init', 'tain init --database-url sqlite:./my.db --email ann@example.com --yes'],
    load: async () => (await import('./init.ts')).init,
  },
  bootstrap: {
    summary: 'prepare the database for the service: its tables, the first administrator, a snapshot',
    options: [{ flags: '--snapshot <file>', what: 'apply a snapshot; what it does not name stays' }],
    settings: 'all',
    examples: [
      'ADMIN_EMAIL=ann@example.com ADMIN_PASSWORD_FILE=/run/secrets/admin tain bootstrap --snapshot snapshot.yaml',
    ],
    load: async () => (await import('./bootstrap.ts')).bootstrap,
  },
  'schema snapshot': {
    summary: 'write the structure to a file (.json or .yaml), or print it',
    operands: [{ name: '[file]', what: 'the file to write' }],
    options: scope,
    settings: 'all',
    examples: ['tain schema snapshot snapshot.yaml --include permissions'],
    load: async () => (await import('./schema.ts')).snapshot,
  },
  'schema diff': {
    summary: 'print the difference between the database and a snapshot, a line per change; 1 when they differ',
    operands: [file('a snapshot')],
    options: [...comparison, { ...asJson, what: 'print the file that apply takes, as JSON' }, asYaml],
    settings: 'all',
    examples: ['tain schema diff snapshot.yaml', 'tain schema diff snapshot.yaml --json > change.json'],
    load: async () => (await import('./schema.ts')).diff,
  },
  'schema apply': {
    summary: 'make the database what the file says: a snapshot, or the output of diff --json',
    operands: [file('a snapshot or a diff')],
    options: [
      ...comparison,
      asYaml,
      { flags: '--allow-data-loss', what: 'also drop tables and columns that hold data' },
      dryRun('print the plan and change nothing'),
    ],
    settings: 'all',
    examples: ['tain schema apply snapshot.yaml --dry-run'],
    load: async () => (await import('./schema.ts')).apply,
  },
  'schema names prune': {
    summary: 'give up the names that are kept for relations and tables that no longer exist',
    options: [dryRun('list them and change nothing')],
    settings: 'all',
    load: async () => (await import('./schema.ts')).pruneNames,
  },
  'types generate': {
    summary: 'print TypeScript types of the schema, or write them to a file; 1 when --check finds a difference',
    options: [
      {
        flags: '--from <source>',
        what: 'the URL of a database or of a running service, or a snapshot file; by default DATABASE_URL',
      },
      { flags: '--as <caller>', what: 'a role, the e-mail address of a user, or public; by default an administrator' },
      { flags: '--out <file>', what: 'the file to write' },
      { flags: '--check', what: 'write nothing, and say how the file differs' },
    ],
    settings: 'all',
    examples: [
      'tain types generate --out src/schema.ts',
      'tain types generate --from snapshot.yaml --as Editor --out src/schema.ts --check',
      'TAIN_TOKEN=… tain types generate --from https://data.example.com > schema.ts',
    ],
    load: async () => (await import('./types.ts')).generate,
  },
  'users list': {
    summary: 'list the users with their status, role and last access',
    options: [asJson],
    settings: 'all',
    examples: ['tain users list --json'],
    load: async () => (await import('./users.ts')).listUsers,
  },
  'users create': {
    summary: 'create an active user and print its id; asks for the password',
    options: [
      { flags: '--email <address>', what: 'the e-mail address; required' },
      { flags: '--role <role>', what: 'the name or id of a role' },
      passwordStdin,
      { flags: '--token', what: 'also create a static token and print it; no password is asked for' },
      asJson,
    ],
    settings: 'all',
    examples: [
      'tain users create --email ann@example.com --role Editor',
      'tain users create --email ann@example.com --password-stdin < password.txt',
      'tain users create --email importer@example.com --token --json',
    ],
    load: async () => (await import('./users.ts')).createUser,
  },
  'users token': {
    summary: 'give a user a new static token and print it once',
    operands: [user],
    options: [asJson],
    settings: 'all',
    examples: ['tain users token importer@example.com'],
    load: async () => (await import('./users.ts')).createUserToken,
  },
  'users passwd': {
    summary: 'change the password of a user and end the sessions of that user',
    operands: [user],
    options: [passwordStdin],
    settings: 'all',
    examples: ['tain users passwd ann@example.com'],
    load: async () => (await import('./users.ts')).changePassword,
  },
  'users unlock': {
    summary: 'make a suspended user active, and end the delays that failed logins have caused',
    operands: [user],
    settings: 'all',
    examples: ['tain users unlock ann@example.com'],
    load: async () => (await import('./users.ts')).unlockUser,
  },
  'roles list': {
    summary: 'list the roles, whether they have admin and app access, and how many users they have',
    options: [asJson],
    settings: 'all',
    load: async () => (await import('./roles.ts')).listRoles,
  },
  'roles create': {
    summary: 'create a role and print its id',
    operands: [{ name: '<name>', what: 'a name that no other role has' }],
    options: [
      { flags: '--admin', what: 'with admin access: every permission' },
      { flags: '--app', what: 'with app access' },
      asJson,
    ],
    settings: 'all',
    examples: ['tain roles create Editor --app'],
    load: async () => (await import('./roles.ts')).createRole,
  },
  'migrate-from directus': {
    summary: 'take the metadata, users and permissions of the Directus in the database',
    options: [
      dryRun('print the report and change nothing'),
      { flags: '--replace', what: 'overwrite what exists with the rows of Directus' },
      { flags: '--detach', what: 'drop foreign keys to tables of Directus, so that relations lead to the new users' },
      asJson,
    ],
    settings: 'all',
    examples: ['tain migrate-from directus --dry-run', 'tain migrate-from directus --detach'],
    load: async () => (await import('./migrate-from.ts')).migrateFromDirectus,
  },
  doctor: {
    summary: 'check the settings and the database, and say how to fix each problem; 1 when there is one',
    options: [{ flags: '--replicas <number>', what: 'how many services will run at the same time' }, asJson],
    settings: 'all',
    examples: ['tain doctor', 'tain doctor --json --replicas 3'],
    load: async () => (await import('./doctor.ts')).doctor,
  },
  eject: {
    summary: "print the SQL that removes the service's own tables from the database, or run it",
    options: [
      { flags: '--run', what: 'run the SQL, after the name of the database has been typed' },
      { flags: '--yes', what: 'ask nothing; required with --run where there is no terminal' },
      { flags: '--force', what: 'run it although a service is running' },
    ],
    settings: 'all',
    examples: ['tain eject > remove.sql', 'tain eject --run'],
    load: async () => (await import('./eject.ts')).eject,
  },
  export: {
    summary: 'print the items of a collection, or write them to a file',
    operands: [{ name: '<collection>', what: 'a collection' }],
    options: [
      { flags: '--format <format>', what: 'csv, csv_utf8, json, xml or yaml; by default that of the file, or json' },
      { flags: '--query <json>', what: 'a query as in SEARCH: {"filter": …, "fields": …}; by default all columns' },
      { flags: '--out <file>', what: 'the file to write' },
    ],
    settings: 'all',
    examples: [
      'tain export articles --out articles.csv',
      `tain export articles --format json --query '{"filter": {"status": {"_eq": "published"}}}' | gzip > articles.gz`,
    ],
    load: async () => (await import('./transfer.ts')).exportItems,
  },
  import: {
    summary: 'create or update the items of a file (.csv or .json), all of them or none',
    operands: [{ name: '<collection>', what: 'a collection' }, file('a CSV or JSON file')],
    settings: 'all',
    examples: ['tain import articles articles.csv'],
    load: async () => (await import('./transfer.ts')).importItems,
  },
  'files check': {
    summary: 'compare every file with its content in the storages, and find objects of no file',
    options: [
      { flags: '--quick', what: 'compare sizes, without reading every content' },
      { flags: '--json', what: 'print a line of JSON for each finding' },
    ],
    settings: 'all',
    examples: ['tain files check', 'tain files check --quick'],
    load: async () => (await import('./files.ts')).checkCommand,
  },
  'files sweep': {
    summary: 'remove objects that belong to no file, as the service does each night',
    options: [
      {
        flags: '--older-than <time>',
        what: 'their age (FILES_ORPHAN_AGE): younger ones may belong to a write under way',
      },
      dryRun('list them, and remove nothing'),
    ],
    settings: 'all',
    examples: ['tain files sweep --dry-run', 'tain files sweep --older-than 7d'],
    load: async () => (await import('./files.ts')).sweepCommand,
  },
  'files migrate': {
    summary: 'move the content of files from one storage to another; may be stopped and begun again',
    options: [
      { flags: '--from <storage>', what: 'a name in STORAGE_LOCATIONS' },
      { flags: '--to <storage>', what: 'another one' },
    ],
    settings: 'all',
    examples: ['tain files migrate --from local --to s3'],
    load: async () => (await import('./files.ts')).migrateCommand,
  },
  'events triggers': {
    summary: 'print the SQL of the triggers that tell writes of other programs (EVENTS_OUTSIDE=triggers)',
    options: [{ flags: '--remove', what: 'print the SQL that drops the triggers' }],
    settings: 'all',
    examples: ['tain events triggers | psql shop', 'tain events triggers --remove | psql shop'],
    load: async () => (await import('./events.ts')).eventTriggers,
  },
  completion: {
    summary: 'print a script that completes commands and options in a shell',
    operands: [{ name: '<shell>', what: 'bash, zsh or fish' }],
    settings: 'none',
    examples: [
      'source <(tain completion bash)',
      'tain completion zsh > "${fpath[1]}/_tain"',
      'tain completion fish > ~/.config/fish/completions/tain.fish',
    ],
    load: async () => (await import('./completion.ts')).completion,
  },
  version: {
    summary: 'print the version',
    settings: 'none',
    load: async () => (await import('./version.ts')).printVersion,
  },
} as const satisfies Readonly<Record<string, Command>>
