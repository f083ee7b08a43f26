import { basicWords } from '../words/basic.ts'
import { Button, IconButton } from './Button.tsx'
import { copyText } from './copy.ts'
import { CopyIcon } from './icons.tsx'

type Props = {
  value: string
  /** Verb and object: 'Copy link for Spring offer'. */
  label: string
  /** Shows only the icon. */
  bare?: boolean
  small?: boolean
  /** Text of the button, 'Copy' by default. */
  children?: string
}

/** Copies a value to the clipboard and confirms it. */
export function CopyButton({ value, label, bare, small, children = basicWords.actions.copy }: Props) {
  const copy = () => copyText(value)
  if (bare) return <IconButton label={label} icon={<CopyIcon size={16} />} onClick={copy} />
  return (
    <Button small={small} icon={<CopyIcon size={16} />} aria-label={label} onClick={copy}>
      {children}
    </Button>
  )
}
