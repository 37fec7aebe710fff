import { timingSafeEqual } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { parse, stringify } from "uuid";
import { Config } from "../../../platform/config/config.js";
import { PrivateTexts } from "../../../conversations/private-texts.js";
import { type Sealer, Sealers } from "../../../platform/database/seal.js";

const ID_BYTES = 16;
/** A part of the keyed hash, because the link has to fit into an SMS. */
const MAC_BYTES = 16;

/** Shown to operators in place of the link; a survey and the message that asks for it have the same id. */
export const SURVEY_LINK = "[survey link]";

/** The survey that a link names. */
export interface NamedSurvey {
  tenantId: string;
  id: string;
}

/**
 * The links to surveys. A token is the survey's tenant and id with a keyed hash of both. It is computed when needed and
 * never stored, so that nobody who reads the database, or the message in the API, can rate in the contact's place.
 */
@Injectable()
export class SurveyLinks {
  private readonly sealer: Sealer;

  constructor(
    private readonly config: Config,
    sealers: Sealers,
    privateTexts: PrivateTexts,
  ) {
    this.sealer = sealers.for("csat links");
    privateTexts.register(SURVEY_LINK, (tenantId, id) => this.urlOf({ tenantId, id }));
  }

  urlOf(survey: NamedSurvey): string {
    const ids = idsOf(survey);
    return `${this.config.publicUrl}/api/public/csat/${Buffer.concat([ids, this.macs(ids)[0]!]).toString("base64url")}`;
  }

  /** @returns null for an invalid token */
  read(token: string): NamedSurvey | null {
    const bytes = Buffer.from(token, "base64url");
    if (bytes.length !== 2 * ID_BYTES + MAC_BYTES || bytes.toString("base64url") !== token) return null;
    const ids = bytes.subarray(0, 2 * ID_BYTES);
    const mac = bytes.subarray(2 * ID_BYTES);
    if (!this.macs(ids).some((one) => timingSafeEqual(one, mac))) return null;
    return { tenantId: stringify(ids.subarray(0, ID_BYTES)), id: stringify(ids.subarray(ID_BYTES)) };
  }

  /** The hashes under each master key, the newest first. */
  private macs(ids: Buffer): Buffer[] {
    return this.sealer.hashes(ids.toString("base64url")).map((hash) => hash.subarray(0, MAC_BYTES));
  }
}

const idsOf = ({ tenantId, id }: NamedSurvey): Buffer => Buffer.concat([parse(tenantId), parse(id)]);
