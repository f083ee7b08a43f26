import { t } from '../words.ts'
import { SelectField } from './fields.tsx'

const days = { never: null, month: 30, quarter: 90, year: 365 } as const
const DAY = 86_400_000

/** After how long a key or a token ends. */
export type Expires = keyof typeof days

/** Whether a key or a token has ended. */
export const isExpired = ({ expiresAt }: { expiresAt: string | null }) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()

/** The end, counted from now, as it is sent. */
export function endOf(expires: Expires): { expiresAt?: string } {
  const after = days[expires]
  return after === null ? {} : { expiresAt: new Date(Date.now() + after * DAY).toISOString() }
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
