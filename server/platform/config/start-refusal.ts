/** Why the product does not start, in one line for the operator. Anything else thrown at the start is a bug. */
export class StartRefusal extends Error {
  constructor(message: string) {
    super(message.replace(/(?<!\s)\s*\n\s*/g, ' '))
    this.name = 'StartRefusal'
  }
}
