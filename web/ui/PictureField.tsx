import { useState } from 'react'
import { pictureWords } from '../words/assets.ts'
import { Button } from './Button.tsx'
import { Field, useNotes } from './form.tsx'
import { ownPath } from './own-path.ts'
import styles from './PictureField.module.css'
import type { FieldProps } from './use-form.ts'

type Props = FieldProps<string | null> & {
  help?: string
  optional?: boolean
  disabled?: boolean
  /** Most bytes, and in words. */
  most: number
  size: string
  /** The address of the picture that is stored; `value` null removes it. */
  stored?: string | null
  onRemove?: () => void
}

/** A picture, read as base64; '' while none is chosen. */
export function PictureField({ id, label, value, error, help, optional, disabled, ...props }: Props) {
  const { most, size, stored, onChange, onRemove } = props
  const [wrong, setWrong] = useState<string>()
  const [type, setType] = useState('image/png')
  const { notes, describedBy } = useNotes(id, help, wrong ?? error)
  async function take(file: File | undefined) {
    if (!file) return
    const isWrong = file.size > most || file.size === 0
    setWrong(isWrong ? pictureWords.tooLarge({ size }) : undefined)
    if (isWrong) return
    setType(file.type)
    onChange(await base64Of(file))
  }
  const shown = value ? `data:${type};base64,${value}` : value === null ? null : stored && ownPath(stored)
  return (
    <Field id={id} label={label} optional={optional}>
      <div className="row">
        {shown && <img src={shown} alt={pictureWords.current} className={styles.picture} />}
        <label className={`strong ${styles.choose}`}>
          <input
            id={id}
            type="file"
            accept="image/png,image/jpeg,image/webp,image/gif"
            className="visually-hidden"
            disabled={disabled}
            aria-invalid={wrong || error ? true : undefined}
            aria-describedby={describedBy}
            onChange={(event) => {
              const input = event.currentTarget
              void take(input.files?.[0]).finally(() => {
                input.value = ''
              })
            }}
          />
          {shown ? pictureWords.another : pictureWords.choose}
        </label>
        {shown && onRemove && !disabled && (
          <Button look="quiet" onClick={onRemove}>
            {pictureWords.remove}
          </Button>
        )}
      </div>
      {notes}
    </Field>
  )
}

const base64Of = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
