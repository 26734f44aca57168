// Gives the acceptance suite another version of the unmodified client, without a change of the suite. Loaded by
// test/directus-sdk/run.ts into the processes of the suite.
import { registerHooks } from 'node:module'

const client = process.env['DIRECTUS_SDK'] ?? ''

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@directus/sdk' ? next(client, { ...context, parentURL: import.meta.url }) : next(specifier, context),
})
