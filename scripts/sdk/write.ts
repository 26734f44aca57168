// npm run sdk:procedures: writes the files of the SDK that are made from the tables of the contract.
import { writeFileSync } from 'node:fs'
import { madeFiles } from './files.ts'

for (const [path, text] of madeFiles()) writeFileSync(path, text)
