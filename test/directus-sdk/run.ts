// npm run verify directus-sdk
// The acceptance suite's areas of the unmodified @directus/sdk, with its two newest major versions.
import { runArea } from './run-area.ts'
import { clients, versionOf } from './versions.ts'

for (const client of clients) {
  const { passed, failed, waiting, output } = await runArea(client, 'sdk,realtime-sdk')
  if (failed > 0) console.log(output)
  console.log(
    `@directus/sdk ${versionOf(client)}: ${passed} checks passed, ${failed} problems, ${waiting} rows of the waiting list`,
  )
  if (failed > 0 || passed === 0) process.exitCode = 1
}
