/** An address that goes on in the next line behind its @ rather than in the middle of a word. */
export function Email({ children }: { children: string }) {
  const at = children.lastIndexOf('@') + 1
  return (
    <>
      {children.slice(0, at)}
      <wbr />
      {children.slice(at)}
    </>
  )
}
