import { useState } from 'react'
import { SelectField } from '../ui/fields.tsx'
import { labelWords } from '../words/fields.ts'
import { pieceWords } from '../words/pieces.ts'

const days = { never: null, month: 30, quarter: 90, year: 365 } as const
const DAY = 86_400_000

/** Lifetimes of a key or a token. */
type Expires = keyof typeof days

/** Returns whether a key or a token has expired. */
export const isExpired = ({ expiresAt }: { expiresAt: string | null }) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()

/**
 * Returns the choice, and the expiry to send: counted from the first render, so that a form sent again sends the same
 * value and takes effect once.
 */
export function useExpires() {
  const [asked] = useState(Date.now)
  const [value, onChange] = useState<Expires>('never')
  const after = days[value]
  return {
    field: { value, onChange },
    end: after === null ? {} : { expiresAt: new Date(asked + after * DAY).toISOString() },
  }
}

export const ExpiresField = ({ value, onChange }: { value: Expires; onChange: (value: Expires) => void }) => (
  <SelectField<Expires>
    id="expires"
    name="expires"
    label={labelWords.expires}
    value={value}
    choices={(Object.keys(days) as Expires[]).map((choice) => ({
      value: choice,
      label: pieceWords.expires.after[choice],
    }))}
    onChange={(chosen) => onChange(chosen ?? 'never')}
    onBlur={() => undefined}
  />
)
