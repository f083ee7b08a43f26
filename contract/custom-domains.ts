import { z } from 'zod'
import { hostStates } from './accounts.ts'
import { Instant, isDomain, plainText } from './values.ts'

export type HostState = (typeof hostStates)[number]

/** Leaves room for the label of the TXT record. */
export const MOST_LENGTH = 240

/** A domain, and no address in numbers. */
export const isHostName = (value: string) => value.length <= MOST_LENGTH && isDomain(value) && !/\.\d+$/.test(value)

/** The name of an account's own host. */
export const HostName = plainText(1000).toLowerCase().refine(isHostName, 'Enter a domain such as partners.example.com')

/**
 * An account's own host. Its `record` is the TXT record that proves it, and `target` the host of this install, to which
 * its name must lead. `problem` is the reason why the last check failed.
 */
export const CustomDomain = z
  .object({
    name: z.string(),
    state: z.enum(hostStates),
    record: z.object({ name: z.string(), value: z.string() }),
    target: z.string(),
    checkedAt: Instant.nullable(),
    problem: z.string().nullable(),
  })
  .meta({ id: 'CustomDomain' })
export type CustomDomain = z.infer<typeof CustomDomain>
