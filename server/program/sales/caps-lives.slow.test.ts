process.env.RUNS ??= '200'
await import('./caps-lives.test.ts')
