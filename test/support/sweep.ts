import { listParts, mergeParts } from '#contract/merge-parts.ts'
import type { RefusalReason } from '#contract/refusals.ts'
import * as features from '#features/index.sweep.ts'

// The sweeps over every call, list, screen and form learn here what each feature declares in its `sweep.ts`.

// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
type Any = any

/** An account with a partner who can sign in, and a lead and a sale of that partner. */
export type World = {
  accountId: string
  partner: { id: string; token: string }
  /** Makes a call, as the account's owner without a token, and returns its answer. */
  call(method: string, path: string, body?: object, token?: string): Promise<Any>
  /** Returns a text of at most this length, by which the world may be recognized. */
  text(max: number): string
}

/** A world whose calls have bodies: its objects by name, and those of features by subject. */
export type WorldOfCalls = Pick<World, 'accountId' | 'partner'> & {
  parent: { id: string }
  sale: { id: string }
  things: Record<string, string>
}

/** A row of docs/limits.md, in which of its tables, and the refusals of what exceeds it. */
export type Limit = {
  table: 'have' | 'atOnce' | 'times' | 'written'
  row: [words: string, most: string]
  refusals?: RefusalReason[]
}

/** Adds an object to a world. */
export type AddThing = (world: World) => Promise<{ id: string }>

async function addAll<Name extends string>(world: World, adds: Record<Name, AddThing>) {
  const ids: [string, string][] = []
  for (const [name, add] of Object.entries<AddThing>(adds)) ids.push([name, (await add(world)).id])
  return Object.fromEntries(ids) as Record<Name, string>
}

/** Adds an object of each subject of a feature, and returns their ids. */
export const addThings = (world: World) => addAll(world, mergeParts(features, 'things'))
/** Adds what features show on their screens, and returns the ids by their placeholders in addresses. */
export const addShownThings = (world: World) => addAll(world, mergeParts(features, 'shownThings'))
/** Adds objects with special characters in all their texts, and returns their ids by subject. */
export const addStrangeThings = (world: World) => addAll(world, mergeParts(features, 'strangeThings'))

export const bodiesOfFeatures: Record<string, (world: WorldOfCalls) => Record<string, unknown>> = mergeParts(
  features,
  'bodies',
)
/** The meaning of each name of a limit, for docs/limits.md. */
export const limitNames: Record<string, string> = mergeParts(features, 'limitNames')
export const preparationsOfFeatures = mergeParts(features, 'preparations')
export const [requiredRights, fieldsOfInstall, keptInEvents] = [
  mergeParts(features, 'requiredRights'),
  mergeParts(features, 'fieldsOfInstall'),
  mergeParts(features, 'keptInEvents'),
] as [Record<string, string>, Record<string, string[]>, Record<string, Record<'lead' | 'partner', string[]>>]

export const [inPortal, whileInactive, hiddenFromPartners, restrictedObjects, notCompared] = (
  ['inPortal', 'whileInactive', 'hiddenFromPartners', 'restrictedObjects', 'notCompared'] as const
).map((part) => listParts(features, part) as string[]) as [string[], string[], string[], string[], string[]]

export const screensOfFeatures = listParts(features, 'screens')
export const emptyScreensOfFeatures = listParts(features, 'emptyScreens')
export const formsOfFeatures = listParts(features, 'forms')
export const limitsOfFeatures = listParts(features, 'limits')
