import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { addDays } from '#contract/days.ts'
import { formatTag } from '#contract/language.ts'
import type { NamedRange } from '#contract/values.ts'
import { formatDateRange, formatShortRange, todayIn } from '../format.ts'
import { rangeWords, tableWords } from '../words/lists.ts'
import { statsWords } from '../words/stats.ts'
import { IconButton } from './Button.tsx'
import { focusedFirst, useMediaQuery } from './browser.ts'
import styles from './DateRange.module.css'
import {
  addMonths,
  choosePeriod,
  comparedWith,
  type DateRange as Days,
  daysIn,
  inOrder,
  listWeeks,
  type RangeChoice,
  rangeChoices,
  rangeIn,
  startOfMonth,
  toParams,
  toRange,
} from './date-ranges.ts'
import { CalendarIcon, NextIcon, PreviousIcon } from './icons.tsx'
import { PanelButton } from './PanelButton.tsx'
import { useAddress } from './useAddress.ts'

const words = {
  'last-7-days': 'last7Days',
  'last-month': 'lastMonth',
  'last-3-months': 'last3Months',
  'last-quarter': 'lastQuarter',
  'last-6-months': 'last6Months',
  'last-year': 'lastYear',
  'month-to-date': 'monthToDate',
  'quarter-to-date': 'quarterToDate',
  'year-to-date': 'yearToDate',
  custom: 'custom',
} as const satisfies Record<RangeChoice, string>

export const rangeLabel = (choice: RangeChoice) => rangeWords[words[choice]]

/** Returns the range in the address, in days of the account's time zone. */
export function useDateRange(timeZone: string) {
  const { params, change } = useAddress()
  const today = todayIn(timeZone)
  return {
    ...rangeIn(params, today),
    timeZone,
    // a list of the range begins on its first page
    choose: (choice: NamedRange | Days) => change({ ...toParams(choice), cursor: undefined }),
  }
}

export type DateRangeState = ReturnType<typeof useDateRange>

type PickerProps = {
  range: DateRangeState
  small?: boolean
  /** Also names the period that the figures are compared with. */
  compared?: boolean
  /** A table's filter of this name, which may be empty: `chosen` is whether it has days. */
  filter?: { label: string; chosen: boolean; clear: () => void }
}

/** The button 'Date range: …' with its ten choices and the calendar of two months. Its state is in the address. */
export function DateRangePicker({ range, small, compared = false, filter }: PickerProps) {
  const narrow = useMediaQuery('(max-width: 767px)')
  const { choice, from, to } = range
  return (
    <div className={filter ? undefined : styles.root} data-wide={small || filter ? undefined : ''}>
      <PanelButton
        name={rangeWords.dialog}
        small={small}
        used={filter?.chosen}
        atStart={filter !== undefined}
        className={styles.panel}
        face={
          <>
            {!filter && <CalendarIcon size={16} />}
            {filter ? (
              <span>
                <span className="muted">{filter.label}</span>{' '}
                <b>{filter.chosen ? formatDateRange(from, to) : tableWords.all}</b>
              </span>
            ) : (
              <span>
                <b>{rangeWords.button({ label: rangeLabel(choice) })}</b>{' '}
                {/* On a phone a preset range fits on one line; screen readers still get its days. */}
                <span className={narrow && choice !== 'custom' ? 'visually-hidden' : 'muted'}>
                  · {formatDateRange(from, to)}
                </span>
              </span>
            )}
          </>
        }
      >
        {(close) => <Choices range={range} filter={filter} close={close} />}
      </PanelButton>
      {compared && <small className="muted">{comparedLabel(range)}</small>}
    </div>
  )
}

function comparedLabel(range: DateRangeState) {
  const { from, to } = comparedWith(range)
  return statsWords.than({ range: formatShortRange(from, to, range.today) })
}

function Choices({ range, filter, close }: Omit<PickerProps, 'small'> & { close: () => void }) {
  const [custom, setCustom] = useState(false)
  const { choice, choose } = range
  const showCalendar = custom || (choice === 'custom' && filter?.chosen !== false)

  function take(chosen: NamedRange | Days) {
    choose(chosen)
    close()
  }

  return (
    <>
      <ul aria-label={rangeWords.choices} className={styles.choices}>
        {filter && (
          <li>
            <button
              ref={filter.chosen ? undefined : focusedFirst}
              type="button"
              className="choice"
              aria-pressed={!filter.chosen && !custom}
              onClick={() => {
                filter.clear()
                close()
              }}
            >
              {tableWords.all}
            </button>
          </li>
        )}
        {rangeChoices.map((one) => (
          <li key={one}>
            <button
              ref={one === choice && filter?.chosen !== false ? focusedFirst : undefined}
              type="button"
              className="choice"
              aria-pressed={one === 'custom' ? showCalendar : one === choice && !custom}
              onClick={() => (one === 'custom' ? setCustom(true) : take(one))}
            >
              {rangeLabel(one)}
            </button>
          </li>
        ))}
      </ul>
      {showCalendar && <Calendar range={range} onChoose={take} />}
    </>
  )
}

type DaysFilterProps = {
  label: string
  timeZone: string
  /** First and last day, '' if not chosen. */
  from: string
  to: string
  onChange: (days: { from?: string; to?: string }) => Promise<void>
}

/** A range of days as a filter of a list; empty means all. */
export function DaysFilter({ label, timeZone, from, to, onChange }: DaysFilterProps) {
  const today = todayIn(timeZone)
  const range: DateRangeState = {
    ...rangeIn({ from: from || to, to: to || from }, today),
    choice: 'custom',
    today,
    timeZone,
    choose: (chosen) => onChange(typeof chosen === 'string' ? toRange(chosen, today) : { ...chosen }),
  }
  return (
    <DateRangePicker range={range} filter={{ label, chosen: from !== '' || to !== '', clear: () => onChange({}) }} />
  )
}

/** Two months. The first click starts a range, the second completes it; an earlier one swaps. */
function Calendar({ range, onChoose }: { range: DateRangeState; onChoose: (days: Days) => void }) {
  const { from, to, today, timeZone } = range
  const [start, setStart] = useState<string | null>(null)
  const [cursor, setCursor] = useState(to <= today ? to : today)
  const [left, setLeft] = useState(() => addMonths(startOfMonth(to <= today ? to : today), -1))
  const grid = useRef<HTMLDivElement>(null)
  const moved = useRef(false)
  const chosen = start === null ? { from, to } : inOrder(start, cursor)
  const months = [left, addMonths(left, 1)] as const

  // On a phone it opens below the choices.
  useEffect(() => {
    grid.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${cursor}"]`)?.focus()
    moved.current = false
  }, [cursor])

  function press(day: string) {
    setCursor(day)
    if (start === null) setStart(day)
    else onChoose(inOrder(start, day))
  }

  function onKeyDown(event: KeyboardEvent) {
    const next = {
      ArrowLeft: addDays(cursor, -1),
      ArrowRight: addDays(cursor, 1),
      ArrowUp: addDays(cursor, -7),
      ArrowDown: addDays(cursor, 7),
      PageUp: addMonths(cursor, -1),
      PageDown: addMonths(cursor, 1),
    }[event.key]
    if (!next) return
    event.preventDefault()
    const day = next > today ? today : next
    moved.current = true
    setCursor(day)
    if (day < months[0]) setLeft(startOfMonth(day))
    else if (startOfMonth(day) > months[1]) setLeft(addMonths(startOfMonth(day), -1))
  }

  return (
    <div className={styles.calendar}>
      <div ref={grid} className={styles.months}>
        {months.map((month, at) => (
          <div key={month}>
            <div className={styles.monthHead}>
              {at === 0 && (
                <IconButton
                  label={rangeWords.previousMonth}
                  icon={<PreviousIcon size={16} />}
                  onClick={() => setLeft(addMonths(left, -1))}
                />
              )}
              <b>{monthName(month)}</b>
              {at === 1 && (
                <IconButton
                  label={rangeWords.nextMonth}
                  icon={<NextIcon size={16} />}
                  onClick={() => setLeft(addMonths(left, 1))}
                />
              )}
            </div>
            <table aria-label={monthName(month)} className={styles.days}>
              <thead>
                <tr>
                  {weekdays.map((name) => (
                    <th key={name} scope="col" aria-label={name} className="muted small">
                      {name.slice(0, 2)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {listWeeks(month).map((week) => (
                  <tr key={week.find(Boolean)}>
                    {week.map((day, weekday) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a day of the week is its place
                      <td key={weekday}>
                        {day && (
                          <button
                            type="button"
                            data-day={day}
                            data-within={isIn(day, chosen) || undefined}
                            data-edge={day === chosen.from || day === chosen.to || undefined}
                            aria-label={dayName(day)}
                            aria-pressed={isIn(day, chosen)}
                            aria-current={day === today ? 'date' : undefined}
                            disabled={day > today}
                            tabIndex={day === cursor || (!isShown(cursor, months) && day === months[0]) ? 0 : -1}
                            onClick={() => press(day)}
                            onKeyDown={onKeyDown}
                            onPointerEnter={() => start !== null && setCursor(day)}
                            onFocus={() => setCursor(day)}
                          >
                            {Number(day.slice(8))}
                          </button>
                        )}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ))}
      </div>
      <p className={`row between gap-1 ${styles.foot}`} aria-live="polite">
        <span>
          {formatDateRange(chosen.from, chosen.to)}{' '}
          <span className="muted">
            {rangeWords.days({ count: daysIn(chosen) })}, {rangeWords.by[choosePeriod(chosen)]}
          </span>
        </span>
        <span className="muted">{start === null ? timeZone : rangeWords.chooseEnd}</span>
      </p>
    </div>
  )
}

const isIn = (day: string, { from, to }: Days) => from <= day && day <= to
const isShown = (day: string, months: readonly [string, string]) => months.includes(startOfMonth(day))

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat(formatTag(), { ...options, timeZone: 'UTC' })
  return (date: string) => formatter.format(new Date(`${date}T00:00:00Z`))
}
const monthName = format({ month: 'long', year: 'numeric' })
const dayName = format({ dateStyle: 'long' })
const weekdayName = format({ weekday: 'long' })
/** From Sunday: 2026-11-01 is one. */
const weekdays = Array.from({ length: 7 }, (_, at) => weekdayName(addDays('2026-11-01', at)))
