import { createHash } from 'node:crypto'
import type { LocalBankDetails } from '#contract/payout-details.ts'
import type { AskedSet } from './methods/method.ts'

const TEN_MINUTES = 600_000
const MOST_FORMS = 200
const MOST_PLACES = 1000

type Draft = Pick<LocalBankDetails, 'type' | 'fields'> | null

/** A country and currency of bank accounts for which an account's provider defines fields. */
export type FormPlace = { accountId: string; country: string; currency: string }

/**
 * Caches the provider's fields for ten minutes, in this process; those of a draft by the values that determine them:
 * those of selects, and of fields declared as such in the responses.
 */
export function createFormMemory() {
  const forms = new Map<string, { until: number; sets: AskedSet[] }>()
  const deciding = new Map<string, Set<string>>()

  const placeOf = ({ accountId, country, currency }: FormPlace) => `${accountId}|${country}|${currency}`
  const typeOf = (place: FormPlace, type: string) => `${placeOf(place)}|${type}`

  function keyOf(place: FormPlace, draft: Draft): string {
    if (!draft) return placeOf(place)
    const names = deciding.get(typeOf(place, draft.type))
    const values = Object.entries(draft.fields)
      .filter(([name, value]) => value !== '' && names?.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `${typeOf(place, draft.type)}|${createHash('sha256').update(JSON.stringify(values)).digest('base64')}`
  }

  return {
    find(place: FormPlace, draft: Draft, now: Date): AskedSet[] | undefined {
      const kept = forms.get(keyOf(place, draft))
      return kept && kept.until > now.getTime() ? kept.sets : undefined
    },
    keep(place: FormPlace, draft: Draft, now: Date, sets: AskedSet[]) {
      for (const { type, fields } of sets) {
        const key = typeOf(place, type)
        const names = deciding.get(key) ?? new Set()
        for (const { key: name, input, refresh } of fields) if (refresh || input === 'select') names.add(name)
        deciding.set(key, names)
      }
      const key = keyOf(place, draft)
      forms.delete(key)
      forms.set(key, { until: now.getTime() + TEN_MINUTES, sets })
      dropFirst(forms, MOST_FORMS)
      dropFirst(deciding, MOST_PLACES)
    },
  }
}

/** Drops the entries that were added first. */
function dropFirst(map: Map<string, unknown>, most: number) {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
