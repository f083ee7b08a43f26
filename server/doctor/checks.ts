import { apiMethods } from '../program/payouts/methods/registry.ts'
import { address, proxy } from './address.ts'
import { backups } from './backups.ts'
import type { Check } from './check.ts'
import { clock } from './clock.ts'
import { cluster } from './cluster.ts'
import { database, role, schema } from './database.ts'
import { disk } from './disk.ts'
import { key } from './key.ts'
import { languages } from './languages.ts'
import { smtp } from './mail.ts'
import { carrierCheck, providers, webhooks } from './outside.ts'
import { passkeys } from './passkeys.ts'
import { jobQueue } from './queue.ts'
import { replica } from './replica.ts'
import { tracing } from './tracing.ts'
import { limits, variables } from './variables.ts'

/** All checks, from the ground up, in display order. */
export const checks: Check[] = [
  variables,
  disk,
  database,
  schema,
  role,
  cluster,
  replica,
  key,
  clock,
  address,
  proxy,
  passkeys,
  limits,
  smtp,
  jobQueue,
  tracing,
  languages,
  backups,
  providers,
  ...apiMethods.map(carrierCheck),
  webhooks,
]
