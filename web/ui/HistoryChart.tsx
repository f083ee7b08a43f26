import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { minorDigits } from '#contract/money.ts'
import { formatMoney, formatShortRange } from '../format.ts'
import { basicWords } from '../words/basic.ts'
import { chartWords } from '../words/stats.ts'
import { Button } from './Button.tsx'
import { ChartFrame } from './ChartFrame.tsx'
import {
  chooseLabels,
  compactMoney,
  MOST_TICKS,
  periodName,
  periodTick,
  type Span,
  ticksFor,
  toSpans,
} from './chart-scale.ts'
import styles from './HistoryChart.module.css'
import { Empty } from './Panel.tsx'
import { PlainTable } from './PlainTable.tsx'

type SeriesColor = 'revenue' | 'share' | 'profit' | 'leads' | 'sales' | 'muted'

export type Series = {
  /** The number in every period of the history: 'salesRevenue'. */
  key: string
  label: string
  color: SeriesColor
  /** Its days are long over, whatever `today` is: none of its points may change. */
  over?: boolean
}

type HistoryChartProps = {
  heading: string
  /** Lines for money, bars for counts. */
  kind: 'line' | 'bar'
  /** The answer of a call for historical statistics. */
  history: {
    startDate: string
    endDate: string
    period: 'day' | 'week' | 'month'
    currency: string
    deltas: readonly ({ date: string } & object)[]
  }
  /** In the account's time zone: the period that contains it is not over. */
  today: string
  /** Series that are null in every period are left out. */
  series: readonly Series[]
  /** Before 'Show as table': another view of the same figures. */
  aside?: ReactNode
}

/** Minimum height in pixels; a chart grows with its neighbours. */
const HEIGHT = 216
const TOP = 10
const BOTTOM = 28
const CHARACTER = 7

/** The marks that distinguish a series without its color. */
const marks: Record<SeriesColor, { dash?: string; shape: 'circle' | 'square' | 'triangle' }> = {
  revenue: { shape: 'circle' },
  share: { shape: 'square', dash: '6 4' },
  profit: { shape: 'triangle', dash: '2 3' },
  leads: { shape: 'square' },
  sales: { shape: 'square' },
  muted: { shape: 'square', dash: '6 4' },
}

/** A muted series has the color of muted text. */
const styleFor = (color: SeriesColor) => (color === 'muted' ? 'muted' : styles[color])

type Point = Span & {
  /** `tick` is the label under the axis, `words` the full one. */
  tick: string
  words: string
  /** Null before the series begins and after it ends. */
  values: (number | null)[]
}

/** Lines for money or bars for counts over the periods of a range, as a named figure. */
export function HistoryChart({ heading, kind, history, today, series, aside }: HistoryChartProps) {
  const [asTable, setAsTable] = useState(false)
  const shown = series.filter(({ key }) => history.deltas.some((delta) => typeof read(delta, key) === 'number'))
  const spans = toSpans(history, today)
  const points = spans.map((span, at): Point => {
    const values = shown.map(({ key, over }) => (span.future && !over ? null : read(history.deltas[at]!, key)))
    const [tick, words] = [periodTick(span.date, history.period, spans.length), spanWords(span, history.period)]
    return { ...span, values, tick, words: span.open ? chartWords.soFar({ period: words }) : words }
  })
  const unfinished = points.find(({ open }) => open)
  const say = (value: number | null | undefined) =>
    typeof value !== 'number'
      ? basicWords.absent
      : kind === 'line'
        ? formatMoney(value, history.currency)
        : formatNumber(value)
  const days = { from: periodName(history.startDate, 'day'), to: periodName(history.endDate, 'day') }
  const oneDay = history.startDate === history.endDate
  if (isEmpty(history.deltas, points, kind))
    return (
      <ChartFrame heading={heading}>
        <div className={`centered ${styles.empty}`}>
          <Empty hint={(oneDay ? chartWords.emptyDay : chartWords.empty)(days)} />
        </div>
      </ChartFrame>
    )
  const totals = shown.map(({ label }, at) => {
    const values = points.flatMap(({ values }) => values[at] ?? [])
    const total = values.reduce((sum, value) => sum + value, 0)
    return chartWords.total({ label, total: say(total) })
  })
  return (
    <figure aria-label={heading} className={`panel ${styles.figure}`}>
      <div className={`row between ${styles.head}`}>
        <h2>{heading}</h2>
        <div className="row gap-1">
          {aside}
          <Button look="quiet" small onClick={() => setAsTable(!asTable)}>
            {asTable ? chartWords.showChart : chartWords.showTable}
          </Button>
        </div>
        <ul className={`row muted small ${styles.legend}`}>
          {shown.map(({ key, label, color }) => (
            <li key={key}>
              <LegendMark kind={kind} color={color} />
              {label}
            </li>
          ))}
          {unfinished && (
            <li>
              <OpenMark kind={kind} />
              {chartWords.soFar({ period: tickWords(unfinished.date, history.period) })}
            </li>
          )}
        </ul>
      </div>
      {asTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section aria-label={chartWords.points({ heading })} tabIndex={0} className={styles.table}>
          <PlainTable
            label={heading}
            rows={points}
            keyOf={({ date }) => date}
            columns={[
              { head: chartWords.period, cell: ({ words }) => words },
              ...shown.map(({ label }, at) => ({
                head: label,
                numeric: true,
                cell: ({ values }: Point) => say(values[at]),
              })),
            ]}
          />
        </section>
      ) : (
        <Plot heading={heading} kind={kind} history={history} points={points} say={say} series={shown} />
      )}
      <figcaption className="visually-hidden">
        {[
          (oneDay ? chartWords.summaryDay : chartWords.summary)({ series: totals.join(', '), ...days }),
          ...(unfinished ? [chartWords.unfinished({ period: unfinished.words })] : []),
        ].join(' ')}
      </figcaption>
    </figure>
  )
}

const read = (delta: object, key: string) => (delta as Record<string, unknown>)[key] as number | null

/**
 * Returns whether a chart is empty: nothing but zeros, unless there were sales that were returned within their periods.
 */
const isEmpty = (deltas: HistoryChartProps['history']['deltas'], points: Point[], kind: 'line' | 'bar') =>
  points.every(({ values }) => values.every((value) => !value)) &&
  !(kind === 'line' && deltas.some((delta) => read(delta, 'numberOfSales')))

type PlotProps = Pick<HistoryChartProps, 'heading' | 'kind' | 'history' | 'series'> & {
  points: Point[]
  say: Say
}
type Say = (value: number | null | undefined) => string

function Plot({ heading, kind, history, series, points, say }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(frame)
  const [at, setAt] = useState<number | null>(null)
  const help = useId()

  const unit = kind === 'line' ? 10 ** minorDigits(history.currency) : 1
  const values = points.flatMap((point) => point.values.flatMap((value) => (value === null ? [] : value / unit)))
  const ticks =
    kind === 'line'
      ? ticksFor(values, MOST_TICKS.lineY, { unit: 1 / unit })
      : ticksFor(values, MOST_TICKS.barY, { counts: true })
  // a single tick, zero, is in the middle
  const [bottom, top] = ticks.length > 1 ? [ticks[0]!, ticks.at(-1)!] : [-1, 1]
  const step = (ticks[1] ?? top) - bottom
  const tickLabels = ticks.map((tick) =>
    kind === 'line' ? compactMoney(tick, history.currency, step) : formatNumber(tick),
  )

  const left = Math.max(...tickLabels.map(({ length }) => length)) * (CHARACTER + 1) + 8
  const right = Math.max(left + 1, width - 6)
  const y = (value: number) => TOP + ((top - value) / (top - bottom)) * (height - TOP - BOTTOM)
  const band = (right - left) / Math.max(1, points.length)
  const x =
    kind === 'bar' || points.length === 1
      ? (index: number) => left + (index + 0.5) * band
      : (index: number) => left + (index / (points.length - 1)) * (right - left)

  const labels = points.map(({ tick }) => tick)
  const room = Math.floor((right - left) / (Math.max(...labels.map(({ length }) => length), 3) * CHARACTER + 14))
  const most = Math.min(kind === 'bar' ? MOST_TICKS.barX : MOST_TICKS.lineX, room)

  function onKeyDown(event: KeyboardEvent) {
    const last = points.length - 1
    const now = at ?? -1
    const next = { ArrowRight: Math.min(last, now + 1), ArrowLeft: Math.max(0, now - 1), Home: 0, End: last }[event.key]
    if (event.key === 'Escape') setAt(null)
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
  }

  function onPointer(event: PointerEvent) {
    const from = event.clientX - event.currentTarget.getBoundingClientRect().left
    const index =
      kind === 'bar'
        ? Math.floor((from - left) / band)
        : Math.round(((from - left) / (right - left)) * (points.length - 1))
    setAt(Math.max(0, Math.min(points.length - 1, index)))
  }

  const point = at === null ? undefined : points[at]
  const caption = point && pointWords(point, series, say)
  return (
    <div
      ref={frame}
      role="slider"
      tabIndex={0}
      aria-label={chartWords.points({ heading })}
      aria-describedby={help}
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={(at ?? 0) + 1}
      aria-valuetext={caption ?? chartWords.none}
      className={styles.plot}
      style={{ minHeight: HEIGHT }}
      onKeyDown={onKeyDown}
      onBlur={() => setAt(null)}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setAt(null)}
    >
      <span id={help} className="visually-hidden">
        {chartWords.help}
      </span>
      {width > 0 && (
        <svg aria-hidden="true" width={width} height={height}>
          {ticks.map((tick, index) => (
            <g key={tick}>
              <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} className={tick === 0 ? styles.zero : styles.grid} />
              <text x={left - 8} y={y(tick) + 4} textAnchor="end">
                {tickLabels[index]}
              </text>
            </g>
          ))}
          {chooseLabels(points.length, most).map((index) => (
            <text
              key={labels[index]! + index}
              x={kind === 'bar' ? Math.min(x(index), width - (labels[index]!.length * CHARACTER) / 2) : x(index)}
              y={height - 8}
              textAnchor={anchor(kind, index, points.length)}
            >
              {labels[index]}
            </text>
          ))}
          {at !== null && kind === 'line' && (
            <line x1={x(at)} x2={x(at)} y1={TOP} y2={height - BOTTOM} className={styles.cursor} />
          )}
          {at !== null && kind === 'bar' && (
            <rect x={left + at * band} y={TOP} width={band} height={height - TOP - BOTTOM} className={styles.band} />
          )}
          {kind === 'line'
            ? series.map((one, index) => (
                <Line
                  key={one.key}
                  color={one.color}
                  spots={points.flatMap(({ values }, at): Spot[] => {
                    const value = values[index] ?? null
                    return value === null ? [] : [[x(at), y(value / unit)]]
                  })}
                  open={one.over ? -1 : points.findIndex(({ open }) => open)}
                />
              ))
            : points.map((point, index) => (
                <Bars key={point.date} point={point} series={series} middle={x(index)} band={band} y={y} />
              ))}
        </svg>
      )}
      {point && at !== null && (
        <div
          aria-hidden="true"
          className={`overlay stack gap-1 small ${styles.tip}`}
          style={x(at) > width / 2 ? { right: width - x(at) + 8 } : { left: x(at) + 8 }}
        >
          <b>{point.words}</b>
          {series.map((one, index) => (
            <span key={one.key} className="muted">
              <LegendMark kind={kind} color={one.color} bare />
              {one.label}
              <strong>{say(point.values[index])}</strong>
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

const anchor = (kind: string, index: number, count: number) =>
  kind === 'bar' || count === 1 ? 'middle' : index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle'

type Period = HistoryChartProps['history']['period']

/** Names a week by its first day. */
const named = (name: string, period: Period) => (period === 'week' ? chartWords.weekOf({ date: name }) : name)
const tickWords = (date: string, period: Period) => named(periodTick(date, period, 1), period)

/** Names a period that is only partly in the range by its days. */
const spanWords = ({ date, end, cut }: Span, period: Period) =>
  cut ? formatShortRange(date, end) : named(periodName(date, period), period)

function pointWords({ words, values }: Point, series: readonly Series[], say: Say) {
  const caption = series.map(({ label }, at) => chartWords.total({ label, total: say(values[at]) }))
  return chartWords.point({ date: words, values: caption.join(', ') })
}

type Spot = [x: number, y: number]

/** Periods from index `open` on are not over: dashed, with hollow marks; -1 if there are none. */
function Line({ color, spots, open }: { color: SeriesColor; spots: Spot[]; open: number }) {
  const { dash, shape } = marks[color]
  const marked = spots.length <= 40
  const over = open === -1 ? spots : spots.slice(0, open)
  const rest = open === -1 ? [] : spots.slice(Math.max(0, open - 1))
  const line = (some: typeof spots) => some.map((spot) => spot.join(',')).join(' ')
  return (
    <g className={styleFor(color)} fill="currentColor" stroke="currentColor">
      <polyline points={line(over)} strokeDasharray={dash} />
      {rest.length > 1 && <polyline points={line(rest)} strokeDasharray={OPEN_DASH} className={styles.open} />}
      {spots.map(([x, y], at) => {
        const isOpen = open !== -1 && at >= open
        return (
          (marked || isOpen) && (
            <g key={x} className={isOpen ? styles.hollow : undefined}>
              <Mark shape={shape} x={x} y={y} />
            </g>
          )
        )
      })}
    </g>
  )
}

const OPEN_DASH = '3 4'

function Bars({
  point,
  series,
  middle,
  band,
  y,
}: {
  point: Point
  series: readonly Series[]
  middle: number
  band: number
  y: (value: number) => number
}) {
  const width = Math.max(1, Math.min(16, (band * 0.66) / series.length))
  const gap = Math.min(2, width / 4)
  const start = middle - (series.length * width + (series.length - 1) * gap) / 2
  return series.map(({ key, color }, index) => {
    const value = point.values[index] ?? 0
    const height = Math.abs(y(0) - y(value))
    return (
      <rect
        key={key}
        className={`${styleFor(color)} ${point.open ? styles.openBar : ''}`}
        fill="currentColor"
        stroke={point.open ? 'currentColor' : undefined}
        strokeDasharray={point.open ? OPEN_DASH : undefined}
        x={start + index * (width + gap)}
        y={Math.min(y(0), y(value))}
        width={width}
        height={height}
        rx={Math.min(2, width / 4, height / 2)}
      />
    )
  })
}

function Mark({ shape, x, y }: { shape: 'circle' | 'square' | 'triangle'; x: number; y: number }) {
  if (shape === 'circle') return <circle cx={x} cy={y} r={3} />
  if (shape === 'square') return <rect x={x - 3} y={y - 3} width={6} height={6} />
  return <path d={`M${x} ${y - 4}l4 7h-8z`} />
}

/** `bare` is the mark without its line. */
function LegendMark({ kind, color, bare }: { kind: 'line' | 'bar'; color: SeriesColor; bare?: boolean }) {
  const { dash, shape } = marks[color]
  const line = kind === 'line' && !bare
  const width = line ? 24 : 10
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={10}
      className={styleFor(color)}
      fill="currentColor"
      stroke={kind === 'line' ? 'currentColor' : undefined}
    >
      {line && <polyline points={`0,5 ${width},5`} strokeDasharray={dash} />}
      {kind === 'line' ? <Mark shape={shape} x={width / 2} y={5} /> : <rect width={9} height={9} y={0.5} rx={2} />}
    </svg>
  )
}

/** The mark of a period that is not over, in any series. */
function OpenMark({ kind }: { kind: 'line' | 'bar' }) {
  return (
    <svg
      aria-hidden="true"
      width={kind === 'line' ? 24 : 10}
      height={10}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
    >
      {kind === 'line' ? (
        <line x1={0} x2={24} y1={5} y2={5} strokeDasharray={OPEN_DASH} />
      ) : (
        <rect x={0.5} width={8} height={8} y={1} rx={2} strokeDasharray="2 2" />
      )}
    </svg>
  )
}

/** Returns the size of the drawing area, whenever it changes. */
function useSize(frame: { current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: HEIGHT })
  useEffect(() => {
    if (!frame.current) return
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = HEIGHT } = entry?.contentRect ?? {}
      setSize({ width: Math.floor(width), height: Math.floor(height) })
    })
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [frame])
  return size
}
