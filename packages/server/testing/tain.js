// The program for tests, with failpoints and a log of statements. No package contains it.
import { launch } from '../bin/launch.js'

await launch('testing')
