import type { Define } from './command.ts'
export const define: Define = (program) =>
  program
    .command('start')
    .description('Start the product: database, HTTP and background work (npm start).')
    .action(async () => {
      await import('../start.js')
    })
