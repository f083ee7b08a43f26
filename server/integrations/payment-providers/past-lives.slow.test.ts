process.env.RUNS ??= '6'
await import('./past-lives.test.ts')
