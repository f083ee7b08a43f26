import { formatOrdinal, type Paydays, weekdays } from '#contract/paydays.ts'
import { FieldPair, SelectField } from '../../ui/fields.tsx'
import type { FieldProps } from '../../ui/use-form.ts'
import { paydayWords } from '../../words/paydays.ts'

const numbers = (most: number) => Array.from({ length: most }, (_, index) => index + 1)
const daysOfMonth = numbers(31).map((day) => ({
  value: String(day),
  label: day === 31 ? paydayWords.lastDay : formatOrdinal(day),
}))
const daysOfWeek = weekdays.map((label, index) => ({ value: String(index + 1), label }))
const often = (['day', 'week', 'month'] as const).map((value) => ({ value, label: paydayWords.every[value] }))

/** Each choice begins with these days. */
const start: Record<Paydays['every'], Paydays> = {
  day: { every: 'day' },
  week: { every: 'week', weekday: 1 },
  month: { every: 'month', days: [1] },
}

/** The days on which payouts are sent: how often, and the weekday or the days of the month. */
export function PaydayFields({ field }: { field: FieldProps<Paydays> }) {
  const { value, error, onChange, ...rest } = field
  const part = (name: string, label: string) => ({
    ...rest,
    id: `${rest.id}-${name}`,
    name: `${rest.name}-${name}`,
    label,
  })
  const every = (
    <SelectField
      {...rest}
      value={value.every}
      error={error}
      choices={often}
      help={value.every === 'month' ? paydayWords.shorterMonths : paydayWords.help}
      onChange={(chosen) => onChange(start[chosen ?? 'day'])}
    />
  )
  if (value.every === 'day') return <FieldPair>{every}</FieldPair>
  if (value.every === 'week')
    return (
      <FieldPair>
        {every}
        <SelectField
          {...part('weekday', paydayWords.weekday)}
          value={String(value.weekday)}
          choices={daysOfWeek}
          onChange={(day) => onChange({ every: 'week', weekday: Number(day) })}
        />
      </FieldPair>
    )
  const [first = 1, second] = value.days
  const others = daysOfMonth.filter((day) => day.value !== String(first))
  return (
    <>
      <FieldPair>{every}</FieldPair>
      <FieldPair>
        <SelectField
          {...part('first', paydayWords.day)}
          value={String(first)}
          choices={daysOfMonth.filter((day) => day.value !== String(second))}
          onChange={(day) => onChange({ every: 'month', days: [Number(day), ...(second ? [second] : [])] })}
        />
        <SelectField
          {...part('second', paydayWords.secondDay)}
          optional
          value={second ? String(second) : null}
          placeholder={paydayWords.none}
          choices={others}
          onChange={(day) => onChange({ every: 'month', days: [first, ...(day ? [Number(day)] : [])] })}
        />
      </FieldPair>
    </>
  )
}
