import type { Change } from './change.ts'
import { endpoint } from './endpoint.ts'
import { errorCode } from './error-code.ts'
import { fieldType } from './field-type.ts'
import { operator } from './operator.ts'
import { setting } from './setting.ts'

export const changes: readonly Change[] = [operator, fieldType, errorCode, setting, endpoint]
