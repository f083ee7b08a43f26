import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { formWords } from '../words/forms.ts'
import { Button } from './Button.tsx'
import type { FrameProps } from './form.tsx'
import { NextIcon } from './icons.tsx'
import styles from './MoreOptions.module.css'

type Props = {
  form: Pick<FrameProps<unknown>['form'], 'attempt' | 'marked'>
  /** Shown at first, as one of them is already chosen. */
  open?: boolean
  children: ReactNode
}

/** A form's optional fields, hidden until the user opens them or one of them is marked. */
export function MoreOptions({ form: { attempt, marked }, open: opened = false, children }: Props) {
  const id = useId()
  const [open, setOpen] = useState(opened)
  const options = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new attempt opens them again
  useEffect(() => {
    if (marked.some(({ id }) => options.current?.contains(document.getElementById(id)))) setOpen(true)
  }, [attempt])
  return (
    <>
      <div className={styles.switch}>
        <Button
          look="quiet"
          icon={<NextIcon size={16} />}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {formWords.moreOptions}
        </Button>
      </div>
      <div id={id} ref={options} className={open ? 'stack gap-5' : undefined} hidden={!open}>
        {children}
      </div>
    </>
  )
}
