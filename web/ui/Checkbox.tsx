import { useEffect, useRef } from 'react'
import styles from './Checkbox.module.css'

type Props = {
  label: string
  /** The label is for screen readers only. */
  labelHidden?: boolean
  checked: boolean
  /** Some but not all of its items are checked. */
  mixed?: boolean
  disabled?: boolean
  id?: string
  describedBy?: string
  invalid?: boolean
  /** `range`: with Shift, extending from the last checkbox to this one. */
  onChange: (checked: boolean, range: boolean) => void
}

export function Checkbox({
  label,
  labelHidden,
  checked,
  mixed = false,
  disabled,
  id,
  describedBy,
  invalid,
  onChange,
}: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = mixed
  }, [mixed])
  return (
    <label className={styles.root}>
      <input
        ref={box}
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onChange={(event) => onChange(event.currentTarget.checked, (event.nativeEvent as MouseEvent).shiftKey)}
      />
      <span className={labelHidden ? 'visually-hidden' : undefined}>{label}</span>
    </label>
  )
}
