import { useState } from 'react'
import { t } from '../words.ts'
import { SelectField } from './fields.tsx'

const days = { never: null, month: 30, quarter: 90, year: 365 } as const
const DAY = 86_400_000

/** After how long a key or a token ends. */
type Expires = keyof typeof days

/** Whether a key or a token has ended. */
export const isExpired = ({ expiresAt }: { expiresAt: string | null }) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()

/**
 * What is chosen, and the end as it is sent: counted from when it was first asked, so that a form sent again asks for the
 * same, which is then done once.
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
    label={t('expires.label')}
    value={value}
    choices={(Object.keys(days) as Expires[]).map((choice) => ({ value: choice, label: t(`expires.after.${choice}`) }))}
    onChange={(chosen) => onChange(chosen ?? 'never')}
    onBlur={() => undefined}
  />
)
