import { ApiProperty } from "@nestjs/swagger";
import { IsEmail, IsString, Length } from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import { Email } from "../members/members.dto.js";

export class SetPasswordDto {
  /** From the mailed link of an invitation or of a reset. */
  @IsString()
  @Length(1, 200)
  token: string;

  /**
   * 10 to 200 characters, and no breached or common password. If an external issuer signs you in, you can accept an invitation
   * without one.
   */
  @Optional()
  @IsString()
  @Length(10, 200)
  password?: string;
}

export class RequestPasswordResetDto {
  @ApiProperty({ format: "email", example: "owner@demo.example" })
  @Email()
  @IsEmail()
  email: string;
}

export class ChangePasswordDto {
  /** Your password as it is now. */
  @IsString()
  @Length(1, 200)
  currentPassword: string;

  /** 10 to 200 characters, and no breached or common password. */
  @IsString()
  @Length(10, 200)
  newPassword: string;
}

export class ProveEmailDto {
  /** From the mailed link. */
  @IsString()
  @Length(1, 200)
  token: string;
}
