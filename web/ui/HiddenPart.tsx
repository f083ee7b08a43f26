import { type ReactNode, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

type Props = {
  form: { attempt: number; marked: readonly { id: string }[] }
  shown: boolean
  /** One of its fields will get the focus. */
  onReveal: () => void
  children: ReactNode
}

/** A part of a form that is hidden while another one is chosen, and opens once one of its fields is marked. */
export function HiddenPart({ form: { attempt, marked }, shown, onReveal, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const reveal = useRef(onReveal)
  reveal.current = onReveal
  useEffect(() => {
    const now = () => flushSync(() => reveal.current())
    const root = box.current
    root?.addEventListener('reveal', now)
    return () => root?.removeEventListener('reveal', now)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new attempt opens it
  useEffect(() => {
    const first = marked[0] && document.getElementById(marked[0].id)
    if (first && box.current?.contains(first)) reveal.current()
  }, [attempt])
  return (
    <div ref={box} hidden={!shown} className={shown ? 'stack' : undefined}>
      {children}
    </div>
  )
}
