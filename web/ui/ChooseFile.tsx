import { type DragEvent, useId, useState } from 'react'
import { pieceWords } from '../words/pieces.ts'
import styles from './ChooseFile.module.css'
import { Message } from './Message.tsx'
import { type ReadFile, readFile } from './read-file.ts'

type Props = {
  file: ReadFile | null
  /** Maximum size in megabytes, and advice for a larger file. */
  most: number
  tooLarge: string
  /** Kinds of files to offer; tables by default. */
  accept?: string
  /** Their names. */
  kinds?: string
  onChoose: (file: ReadFile | null) => void
}

export const TABLES = '.csv,.tsv,.txt,text/csv,text/plain'

/** A file, chosen or dropped; its content is read here. */
export function ChooseFile({
  file,
  most,
  tooLarge,
  accept = TABLES,
  kinds = pieceWords.chooseFile.tables,
  onChoose,
}: Props) {
  const id = useId()
  const [wrong, setWrong] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  async function take(given: File | undefined) {
    if (!given) return
    const mistake = given.size > most * 1_000_000 ? tooLarge : given.size === 0 ? pieceWords.chooseFile.empty : null
    setWrong(mistake)
    onChoose(mistake ? null : readFile(given.name, new Uint8Array(await given.arrayBuffer())))
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  const onDragOver = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <div className="stack gap-3">
      <label
        htmlFor={id}
        className={`row gap-3 ${styles.drop}`}
        data-over={over || undefined}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        onDragOver={onDragOver}
      >
        <input
          id={id}
          type="file"
          accept={accept}
          className="visually-hidden"
          onChange={(event) => {
            const input = event.currentTarget
            void take(input.files?.[0]).finally(() => {
              // the same file, changed meanwhile, can be chosen again
              input.value = ''
            })
          }}
        />
        {file && <strong className={`wrap ${styles.name}`}>{file.name}</strong>}
        <span className={`strong ${styles.choose}`}>
          {file ? pieceWords.chooseFile.another : pieceWords.chooseFile.choose}
        </span>
        <span className="muted">{pieceWords.chooseFile.drop({ most, kinds })}</span>
      </label>
      {wrong && <Message kind="error">{wrong}</Message>}
    </div>
  )
}
