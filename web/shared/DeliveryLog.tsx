import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import type { useTable } from '../lists/useTable.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { isCovered } from '../ui/browser.ts'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { Empty, Panel, Skeleton } from '../ui/Panel.tsx'
import { TwoColumns } from '../ui/TwoColumns.tsx'
import { useAddress } from '../ui/useAddress.ts'
import { tableWords } from '../words/lists.ts'
import { pieceWords } from '../words/pieces.ts'
import styles from './DeliveryLog.module.css'

type LogProps<D> = {
  rows: D[] | undefined
  /** The list failed to load: it shows the error itself, and no panel appears next to it. */
  failed: boolean
  /** Set if the list has pages and filters. */
  table?: Pick<ReturnType<typeof useTable>, 'filtered' | 'cursor' | 'reset'>
  /** Message if the delivery in the address is not on this page; set if the rows are no deliveries of a webhook. */
  missing?: string
  /** The details of one delivery. */
  panel: (delivery: D) => ReactNode
  /** The list, which marks the chosen one. */
  children: (chosen: D | undefined) => ReactNode
}

/**
 * A log of sent or received deliveries, next to the one named in the address as `delivery`; without one the list uses
 * the full width.
 */
export function DeliveryLog<D extends { id: string }>(props: LogProps<D>) {
  const { rows, failed, table, missing = pieceWords.deliveryLog.missing, panel, children } = props
  const { params } = useAddress()
  const close = useClose()
  const chosen = rows?.find((delivery) => delivery.id === params.delivery)
  return (
    <TwoColumns
      code
      aside={
        params.delivery === undefined || (failed && !rows) ? undefined : chosen ? (
          panel(chosen)
        ) : (
          <Panel>
            {rows ? (
              <Empty
                what={missing}
                action={
                  table && (table.filtered || table.cursor) ? (
                    <Button onClick={table.reset}>{tableWords.clearFilters}</Button>
                  ) : (
                    <Button onClick={close}>{pieceWords.deliveryLog.close}</Button>
                  )
                }
              />
            ) : (
              <Skeleton rows={4} />
            )}
          </Panel>
        )
      }
    >
      {children(chosen)}
    </TwoColumns>
  )
}

/** The button that chooses a row: sets `delivery` in the address and leaves its other parameters. */
export const ChooseDelivery = ({
  id,
  className,
  children,
}: {
  id: string
  className?: string
  children: ReactNode
}) => (
  <Link
    to="."
    search={(before: object) => ({ ...before, delivery: id })}
    state={(before) => before}
    resetScroll={false}
    className={className}
    data-delivery={id}
  >
    {children}
  </Link>
)

/** A `ChooseDelivery` labelled with the name of an event, as code. */
export const ChooseEvent = ({ id, children }: { id: string; children: string }) => (
  <ChooseDelivery id={id}>
    <code className="plain small wrap">{children}</code>
  </ChooseDelivery>
)

/** Returns the function that closes the chosen delivery and returns the focus to its row. */
function useClose() {
  const router = useRouter()
  return () => {
    const { delivery, ...search } = router.state.location.search as Record<string, unknown>
    document.querySelector<HTMLElement>(`[data-delivery="${CSS.escape(String(delivery))}"]`)?.focus()
    router.navigate({ to: '.', search, state: (before) => before, resetScroll: false })
  }
}

type ChosenProps = {
  heading: string
  /** The heading is the name of an event, shown as code. */
  code?: boolean
  aside?: ReactNode
  children: ReactNode
}

/** The panel of the chosen delivery: Escape and the cross close it. */
export function ChosenDelivery({ heading, code, aside, children }: ChosenProps) {
  const box = useRef<HTMLDivElement>(null)
  const close = useClose()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !handlesEscape(event.target)) close()
  })
  useEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  // Below the table it would be out of sight. Resizing the window must not move the focus.
  useEffect(() => {
    if (!matchMedia('(min-width: 1280px)').matches) box.current?.focus()
  }, [])
  return (
    <div ref={box} tabIndex={-1} data-code={code} className={styles.chosen}>
      <span className={styles.close}>
        <IconButton small label={pieceWords.deliveryLog.close} icon={<CloseIcon size={16} />} onClick={close} />
      </span>
      <Panel heading={heading} aside={aside}>
        {children}
      </Panel>
    </div>
  )
}

/** Returns whether Escape has another meaning there: in a field, or while a dialog or a menu is open. */
const handlesEscape = (target: EventTarget | null) =>
  (target instanceof HTMLElement && target.matches('input, textarea, select')) || isCovered()

/** The bodies below the facts of a delivery. */
export const DeliveryBodies = ({ children }: { children: ReactNode }) => <div className="stack inset">{children}</div>

export const DeliveryBody = ({ label, children }: { label: string; children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
  <section aria-label={label} tabIndex={0} className={styles.body}>
    <CodeBlock label={label}>{children}</CodeBlock>
  </section>
)
