import { ServiceError } from '@tain/contract'

/** A row names what the schema does not have. Another program may have made it since the schema was read. */
export class UnknownNameError extends ServiceError {}
