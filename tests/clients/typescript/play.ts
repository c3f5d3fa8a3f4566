// A whole game of four people, over the types that openapi-typescript generated, unedited, and
// its fetch client. Run with node 20: `node play.js BASE OPERATOR_KEY FOLDER`; it leaves the
// transcript, the receipts and what was noted before the seeds in the folder.

import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { Client } from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Problem = components["schemas"]["Problem"];
type Seating = components["schemas"]["SeatingOut"];

// What a seat does first, of what it may do.
const ORDER = ["take", "lay", "yes", "draw", "discard", "end"];

function need<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) {
    throw new Error(`${what} is missing`);
  }
  return value;
}

function good<T>(answer: { data?: T | undefined; error?: Problem | undefined }): T {
  if (answer.error !== undefined) {
    throw new Error(`${answer.error.status} ${answer.error.code}: ${answer.error.sentence}`);
  }
  return need(answer.data, "the answer");
}

function connect(base: string, token?: string): Client<paths> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return createClient<paths>({ baseUrl: base, headers });
}

class Seat {
  readonly game: string;
  readonly receipts: string[];

  private constructor(
    private readonly client: Client<paths>,
    readonly seating: Seating,
  ) {
    this.game = need(seating.game, "the game");
    this.receipts = [...seating.receipts];
  }

  static async take(base: string, claim: string): Promise<Seat> {
    const body = { claim, key: randomBytes(24).toString("base64url") };
    const seating = good(await connect(base).POST("/v1/claims", { body }));
    return new Seat(connect(base, seating.token), seating);
  }

  async share(): Promise<void> {
    const text = `seat ${this.seating.seat} of a generated client`;
    const body = {
      epoch: 1,
      open_hash: need(this.seating.commitment, "the commitment").open_hash,
      nonce: randomBytes(32).toString("hex"),
      seed_sha256: createHash("sha256").update(text).digest("hex"),
    };
    const path = { game: this.game, seat: this.seating.seat };
    const answer = await this.client.PUT("/v1/games/{game}/seats/{seat}/seed", {
      params: { path },
      body,
    });
    this.receipts.push(...good(answer).receipts);
  }

  async view(): Promise<components["schemas"]["ViewOut"]> {
    const path = { game: this.game };
    return good(await this.client.GET("/v1/games/{game}/view", { params: { path } }));
  }

  async play(): Promise<void> {
    const path = { game: this.game };
    const choices = good(await this.client.GET("/v1/games/{game}/choices", { params: { path } }));
    const acts = choices.can.map((one) => one.act).sort();
    const chosen = need(
      ORDER.map((word) => acts.find((act) => act.split(" ")[0] === word)).find(
        (act) => act !== undefined,
      ),
      "an act",
    );
    const answer = good(
      await this.client.POST("/v1/games/{game}/actions", {
        params: { path, header: { "Idempotency-Key": randomBytes(24).toString("base64url") } },
        body: { expect: choices.version, act: chosen },
      }),
    );
    if (answer.dry_run || need(answer.events[0], "an event").body["act"] !== chosen) {
      throw new Error(`${chosen} was not done`);
    }
    this.receipts.push(...answer.receipts);
  }

  // What the service says to an act decided on record 0: a refusal with its type.
  async late(): Promise<Problem> {
    const answer = await this.client.POST("/v1/games/{game}/actions", {
      params: { path: { game: this.game } },
      body: { expect: 0, act: "draw" },
    });
    return need(answer.error, "the refusal");
  }
}

async function main(base: string, operator: string, folder: string): Promise<void> {
  const site = connect(base, operator);
  const created = good(
    await site.POST("/v1/games", {
      body: {
        seats: [0, 1, 2, 3].map((at) => ({ kind: "human" as const, label: `Seat ${at}` })),
        rules: { preset: "classic@1", overrides: { target: 200 } },
        clock: { between_hands_s: 0 },
      },
    }),
  );
  const seats: Seat[] = [];
  for (const { claim } of created.claims) {
    seats.push(await Seat.take(base, claim));
  }
  for (const seat of seats) {
    if (seat.seating.commitment?.open_hash !== created.commitment.open_hash) {
      throw new Error("the seats are told of another game");
    }
    await seat.share();
  }
  const first = need(seats[0], "a seat");
  let acts = 0;
  let view = await first.view();
  while (view.state !== "closed") {
    const turn = need(need(view.table, "the table").turn, "the turn");
    await need(seats[turn.seat], "a seat").play();
    acts += 1;
    view = await first.view();
  }
  const anyone = connect(base);
  const params = { path: { game: created.id } };
  const transcript = good(
    await anyone.GET("/v1/games/{game}/transcript", { params, parseAs: "text" }),
  );
  const dealer = good(await anyone.GET("/.well-known/canasta-dealer.json"));
  const receipts = [...created.receipts, ...seats.flatMap((seat) => seat.receipts)];
  const kept = {
    game: created.id,
    open_hash: created.commitment.open_hash,
    receipt_key: dealer.receipt_key,
    acts,
    hands: view.hand,
    late: (await first.late()).code,
  };
  writeFileSync(`${folder}/game.jsonl`, transcript);
  writeFileSync(`${folder}/receipts.json`, JSON.stringify(receipts));
  writeFileSync(`${folder}/kept.json`, JSON.stringify(kept));
}

const [base, operator, folder] = process.argv.slice(2);
await main(need(base, "BASE"), need(operator, "OPERATOR_KEY"), need(folder, "FOLDER"));
