import { isValidElement, type ReactNode } from 'react'
import { Count, Money } from '../ui/Money.tsx'
import { basicWords } from '../words/basic.ts'

/** Returns whether a cell shows only absence: '–', in any markup. */
export function isAbsent(cell: ReactNode): boolean {
  if (cell === null || cell === undefined || cell === false || cell === '' || cell === basicWords.absent) return true
  if (!isValidElement<{ amount?: unknown; count?: unknown; children?: ReactNode }>(cell)) return false
  const { type, props } = cell
  if (type === Money) return props.amount === null
  if (type === Count) return props.count === null
  return typeof type === 'string' && isAbsent(props.children)
}
