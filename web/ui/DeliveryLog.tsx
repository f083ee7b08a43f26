import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { t } from '../words.ts'
import { Button, IconButton } from './Button.tsx'
import { isCovered } from './browser.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { Columns } from './Columns.tsx'
import styles from './DeliveryLog.module.css'
import { CloseIcon } from './icons.tsx'
import { Empty, Panel, Skeleton } from './Panel.tsx'
import { useAddress, type useTable } from './useTable.ts'

type LogProps<D> = {
  rows: D[] | undefined
  /** That the list did not come: it says so itself, and nothing stands beside it. */
  failed: boolean
  /** Where the list has pages and filters. */
  table?: Pick<ReturnType<typeof useTable>, 'filtered' | 'cursor' | 'reset'>
  /** That the one in the address is not on this page, where it is no delivery of a webhook. */
  missing?: string
  /** One delivery in whole. */
  panel: (delivery: D) => ReactNode
  /** The list, which marks the chosen one. */
  children: (chosen: D | undefined) => ReactNode
}

/** What was sent or received, and beside it the one that the address names as `delivery`; without one the list has all the room. */
export function DeliveryLog<D extends { id: string }>(props: LogProps<D>) {
  const { rows, failed, table, missing = t('deliveryLog.missing'), panel, children } = props
  const { params } = useAddress()
  const close = useClose()
  const chosen = rows?.find((delivery) => delivery.id === params.delivery)
  return (
    <Columns
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
                    <Button onClick={table.reset}>{t('table.clearFilters')}</Button>
                  ) : (
                    <Button onClick={close}>{t('deliveryLog.close')}</Button>
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
    </Columns>
  )
}

/** What a row is chosen by: it stands in the address as `delivery`, beside all else that stands there. */
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

/** The same by the name of an event, as it stands in code. */
export const ChooseEvent = ({ id, children }: { id: string; children: string }) => (
  <ChooseDelivery id={id}>
    <code className={styles.eventName}>{children}</code>
  </ChooseDelivery>
)

/** Closes what the address names as `delivery`: whoever reads goes on at the row that it was chosen by. */
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
  /** The heading is the name of an event, as it stands in code. */
  code?: boolean
  aside?: ReactNode
  children: ReactNode
}

/** The panel of the chosen delivery: Escape and the cross close it. */
export function ChosenDelivery({ heading, code, aside, children }: ChosenProps) {
  const box = useRef<HTMLDivElement>(null)
  const close = useClose()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !hearsItself(event.target)) close()
  })
  useEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  // Below the table it would be out of sight. Whoever only changes the window's size stays where they are.
  useEffect(() => {
    if (!matchMedia('(min-width: 1280px)').matches) box.current?.focus()
  }, [])
  return (
    <div ref={box} tabIndex={-1} className={code ? `${styles.chosen} ${styles.code}` : styles.chosen}>
      <span className={styles.close}>
        <IconButton small label={t('deliveryLog.close')} icon={<CloseIcon size={16} />} onClick={close} />
      </span>
      <Panel heading={heading} aside={aside}>
        {children}
      </Panel>
    </div>
  )
}

/** Whether Escape means something else where it is pressed: in a field, or while a dialog or a menu is open. */
const hearsItself = (target: EventTarget | null) =>
  (target instanceof HTMLElement && target.matches('input, textarea, select')) || isCovered()

/** What stands below the facts of a delivery. */
export const DeliveryBodies = ({ children }: { children: ReactNode }) => <div className={styles.bodies}>{children}</div>

export const DeliveryBody = ({ label, children }: { label: string; children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
  <section aria-label={label} tabIndex={0} className={styles.body}>
    <CodeBlock label={label}>{children}</CodeBlock>
  </section>
)
